#include "io/corpus/pool/write/grouped_entries.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <tbb/task_arena.h>

#include "engine/core/ordered_pipeline.hpp"
#include "io/base/file/large_memory.hpp"

namespace inkling {
namespace {

// Within a part a key has 16 bits.
constexpr std::size_t kMostKeysOfPart = std::size_t{1} << 16U;
// A part of this many entries is sorted within the caches. If that makes more parts than kGoodNumberOfParts, parts are
// larger, as far as memory allows: then chunks are larger, too, and the disk has to seek fewer of them.
constexpr std::int64_t kBestEntriesOfPart = std::int64_t{1} << 20U;
constexpr std::int64_t kGoodNumberOfParts = 256;
constexpr std::int64_t kFewestEntriesOfPart = 64;
// There are at most this many parts, unless the number of keys needs more.
constexpr std::int64_t kMostPartsByEntries = 4096;

constexpr std::size_t kEntriesOfPages = 2048;                       // 20 KiB: whole pages and whole entries
constexpr std::size_t kMostEntriesOfChunk = 102 * kEntriesOfPages;  // nearly a large page
constexpr std::size_t kFewestEntriesOfChunk = 64;

constexpr std::size_t kBytesPerWaitingEntry = sizeof(std::int32_t) + sizeof(float) + sizeof(std::uint16_t);
constexpr std::size_t kBytesPerLaidEntry = sizeof(std::int32_t) + sizeof(float);

// Entries that wait for the end, as three arrays: members, values, and keys counted from the first key of the part.
class EntryChunk {
 public:
  explicit EntryChunk(std::size_t capacity)
      : capacity_(capacity), bytes_(capacity == kMostEntriesOfChunk ? kLargePageBytes : capacity * kBytesPerWaitingEntry) {}

  [[nodiscard]] std::int32_t* members() const { return reinterpret_cast<std::int32_t*>(bytes_.data()); }
  [[nodiscard]] float* values() const { return reinterpret_cast<float*>(members() + capacity_); }
  [[nodiscard]] std::uint16_t* keys() const { return reinterpret_cast<std::uint16_t*>(values() + capacity_); }
  [[nodiscard]] std::span<std::byte> bytes() const { return {bytes_.data(), capacity_ * kBytesPerWaitingEntry}; }

 private:
  std::size_t capacity_;
  LargeArray<std::byte> bytes_;
};
static_assert(kMostEntriesOfChunk * kBytesPerWaitingEntry <= kLargePageBytes);

// A full chunk: in memory, or at a position of the scratch file.
struct FullEntryChunk {
  std::optional<EntryChunk> kept;
  std::uint64_t position = 0;
};

[[noreturn]] void fail_miscounted() { throw std::logic_error("the entries written differ from those counted"); }

std::int64_t entries_of_part(std::uint64_t memory, std::span<const std::int64_t> counts) {
  const std::int64_t entries = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  // Half of the memory is for sorting parts, four at a time.
  const auto fitting = static_cast<std::int64_t>(memory / 2 / 4 / kBytesPerLaidEntry);
  const std::int64_t wanted = std::max(kBestEntriesOfPart, entries / kGoodNumberOfParts);
  return std::max({std::min(fitting, wanted), kFewestEntriesOfPart, entries / kMostPartsByEntries});
}

}  // namespace

struct GroupedEntries::Part {
  std::int32_t first_key = 0;
  std::int32_t keys = 0;
  std::int64_t expected = 0;  // entries

  std::vector<FullEntryChunk> full = {};
  std::optional<EntryChunk> open = {};
  std::size_t open_size = 0;

  [[nodiscard]] bool holds(std::int32_t key) const { return key >= first_key && key - first_key < keys; }
};

// The entries of a part, sorted by key; not sorted if it has too many to hold at once.
struct GroupedEntries::LaidPart {
  Part* part = nullptr;
  bool is_laid = false;
  LargeArray<std::int32_t> members = {};
  LargeArray<float> values = {};
};

GroupedEntries::GroupedEntries(const PoolStaging& staging, std::vector<std::int64_t> counts, std::uint64_t memory)
    : staging_(staging), counts_(std::move(counts)), part_entries_(entries_of_part(memory, counts_)) {
  cut_into_parts();
  const std::uint64_t half = memory / 2;
  parts_at_once_ = std::clamp<std::size_t>(half / (static_cast<std::uint64_t>(part_entries_) * kBytesPerLaidEntry), 1,
                                           2 * static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()));
  // Each part has an open chunk that is being filled; the open chunks together take half of the memory for chunks.
  const std::size_t parts = std::max<std::size_t>(parts_.size(), 1);
  chunk_entries_ = std::clamp<std::size_t>(half / 2 / parts / kBytesPerWaitingEntry, kFewestEntriesOfChunk, kMostEntriesOfChunk);
  // Whole pages, so that the disk space of a chunk can be released once the chunk was read.
  if (chunk_entries_ > kEntriesOfPages) chunk_entries_ -= chunk_entries_ % kEntriesOfPages;
  const std::size_t chunks = half / (chunk_entries_ * kBytesPerWaitingEntry);
  chunks_left_ = chunks - std::min(chunks, parts);
}

GroupedEntries::~GroupedEntries() = default;

void GroupedEntries::cut_into_parts() {
  Part part;
  for (std::size_t key = 0; key < counts_.size(); ++key) {
    if (part.keys > 0 &&
        (part.expected + counts_[key] > part_entries_ || static_cast<std::size_t>(part.keys) == kMostKeysOfPart)) {
      parts_.push_back(std::move(part));
      part = {.first_key = static_cast<std::int32_t>(key)};
    }
    ++part.keys;
    part.expected += counts_[key];
  }
  if (part.keys > 0) parts_.push_back(std::move(part));
}

GroupedEntries::Part& GroupedEntries::part_of(std::int32_t key) {
  if (latest_part_ < parts_.size() && parts_[latest_part_].holds(key)) return parts_[latest_part_];
  const auto after = std::ranges::upper_bound(parts_, key, {}, &Part::first_key);
  if (after == parts_.begin() || !std::prev(after)->holds(key))
    throw std::logic_error("an entry's key is beyond those that were counted");
  latest_part_ = static_cast<std::size_t>(std::prev(after) - parts_.begin());
  return parts_[latest_part_];
}

void GroupedEntries::append(std::span<const GroupedEntry> entries, std::int32_t first_member) {
  while (!entries.empty()) {
    Part& part = part_of(entries.front().key);
    make_room(part);
    const std::size_t room = std::min(chunk_entries_ - part.open_size, entries.size());
    std::int32_t* const members = part.open->members() + part.open_size;
    float* const values = part.open->values() + part.open_size;
    std::uint16_t* const keys = part.open->keys() + part.open_size;
    std::size_t n = 0;
    for (; n < room && part.holds(entries[n].key); ++n) {
      members[n] = first_member + entries[n].member;
      values[n] = entries[n].value;
      keys[n] = static_cast<std::uint16_t>(entries[n].key - part.first_key);
    }
    part.open_size += n;
    entries = entries.subspan(n);
  }
}

void GroupedEntries::make_room(Part& part) {
  if (part.open && part.open_size < chunk_entries_) return;
  if (part.open && chunks_left_ == 0) {
    if (!scratch_) scratch_.emplace(staging_);
    part.full.push_back({.kept = {}, .position = scratch_->append(part.open->bytes())});
    part.open_size = 0;
    return;
  }
  if (part.open) {
    part.full.push_back({.kept = std::move(*part.open)});
    --chunks_left_;
  }
  part.open.emplace(chunk_entries_);
  part.open_size = 0;
}

void GroupedEntries::check_counts() const {
  for (const Part& part : parts_) {
    const std::size_t came = part.full.size() * chunk_entries_ + part.open_size;
    if (came != static_cast<std::size_t>(part.expected)) fail_miscounted();
  }
}

// `visit(chunk, entries)` in the order in which they came.
template <typename Visit>
void GroupedEntries::visit_chunks(const Part& part, const Visit& visit) const {
  std::optional<EntryChunk> read;
  for (const FullEntryChunk& full : part.full) {
    if (full.kept) {
      visit(*full.kept, chunk_entries_);
      continue;
    }
    if (!read) read.emplace(chunk_entries_);
    scratch_->read(full.position, read->bytes());
    visit(*read, chunk_entries_);
  }
  if (part.open) visit(*part.open, part.open_size);
}

std::span<const std::int64_t> GroupedEntries::sizes_of(const Part& part) const {
  return std::span(counts_).subspan(static_cast<std::size_t>(part.first_key), static_cast<std::size_t>(part.keys));
}

GroupedEntries::LaidPart GroupedEntries::laid_out(Part& part) const {
  LaidPart laid = {.part = &part};
  if (part.expected > part_entries_) return laid;
  const auto entries = static_cast<std::size_t>(part.expected);
  laid.is_laid = true;
  laid.members = LargeArray<std::int32_t>(entries);
  laid.values = LargeArray<float>(entries);
  std::int32_t* const laid_members = laid.members.data();
  float* const laid_values = laid.values.data();

  const std::span<const std::int64_t> sizes = sizes_of(part);
  std::vector<std::uint32_t> next(sizes.size());
  std::exclusive_scan(sizes.begin(), sizes.end(), next.begin(), std::uint32_t{0});
  visit_chunks(part, [&](const EntryChunk& chunk, std::size_t count) {
    const std::int32_t* const members = chunk.members();
    const float* const values = chunk.values();
    const std::uint16_t* const keys = chunk.keys();
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t to = next[keys[n]]++;
      if (to >= entries) fail_miscounted();
      laid_members[to] = members[n];
      laid_values[to] = values[n];
    }
  });
  std::uint32_t end = 0;
  for (std::size_t key = 0; key < sizes.size(); ++key) {
    end += static_cast<std::uint32_t>(sizes[key]);
    if (next[key] != end) fail_miscounted();
  }
  return laid;
}

// A part that was not sorted has only one key, so its entries are in order as they came.
void GroupedEntries::hand_over(const LaidPart& laid, const std::function<void(const EntryGroups&)>& consume) const {
  const Part& part = *laid.part;
  if (laid.is_laid) {
    const auto entries = static_cast<std::size_t>(part.expected);
    consume({.first_key = part.first_key,
             .sizes = sizes_of(part),
             .members = {laid.members.data(), entries},
             .values = {laid.values.data(), entries}});
    return;
  }
  visit_chunks(part, [&](const EntryChunk& chunk, std::size_t count) {
    const auto size = static_cast<std::int64_t>(count);
    consume({.first_key = part.first_key,
             .sizes = {&size, 1},
             .members = {chunk.members(), count},
             .values = {chunk.values(), count}});
  });
}

// Parts are read in order, but their chunks are scattered over the scratch file: so the system learns early what to
// read.
void GroupedEntries::prefetch(const Part& part) const {
  for (const FullEntryChunk& full : part.full)
    if (!full.kept) scratch_->prefetch(full.position, chunk_entries_ * kBytesPerWaitingEntry);
}

// Releases the memory and the disk space of a part for other data.
void GroupedEntries::forget(Part& part) {
  for (const FullEntryChunk& full : part.full)
    if (!full.kept) scratch_->release(full.position, chunk_entries_ * kBytesPerWaitingEntry);
  part.full = std::vector<FullEntryChunk>();
  part.open.reset();
}

void GroupedEntries::take(const std::function<void(const EntryGroups&)>& consume) {
  check_counts();
  std::size_t next = 0;
  std::vector<LaidPart> places(parts_at_once_);
  ordered_pipeline(
      places,
      [&](LaidPart& place) {
        if (next + parts_at_once_ < parts_.size()) prefetch(parts_[next + parts_at_once_]);
        if (next == parts_.size()) return false;
        place.part = &parts_[next++];
        return true;
      },
      [&](LaidPart& place) { place = laid_out(*place.part); },
      [&](LaidPart& place) {
        hand_over(place, consume);
        forget(*place.part);
        place = {};
      });
}

}  // namespace inkling
