#include "io/corpus/from_text/waiting_columns.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <tbb/task_arena.h>

#include "engine/core/ordered_pipeline.hpp"

namespace inkling {
namespace {

// A part of this many entries is sorted within the nearer caches. If that makes more parts than kGoodNumberOfWaitingParts, parts
// are larger, as far as memory allows, so that few streams are written at once.
constexpr std::int64_t kBestWaitingEntries = std::int64_t{1} << 17U;
constexpr std::int64_t kGoodNumberOfWaitingParts = 256;
constexpr std::int64_t kFewestWaitingEntries = 64;
// There are at most this many parts, unless the number of features needs more.
constexpr std::int64_t kMostWaitingParts = 4096;

constexpr std::size_t kMostWordsOfChunk = std::size_t{1} << 14U;  // 64 KiB
constexpr std::size_t kFewestWordsOfChunk = 64;
constexpr std::size_t kWordsOfPage = 1024;
constexpr std::size_t kSlabWords = kLargePageBytes / sizeof(std::uint32_t);

constexpr std::size_t kBytesPerLaidColumnEntry = sizeof(std::int32_t) + sizeof(float);

// The norms of rows may take this share of the memory.
constexpr std::uint64_t kShareOfNorms = 4;

[[noreturn]] void fail_columns_miscounted() { throw std::logic_error("the entries written differ from those counted"); }

std::int64_t entries_of_column_part(std::uint64_t memory, std::span<const std::int64_t> counts) {
  const std::int64_t entries = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  // Half of the memory is for sorting parts, four at a time.
  const auto fitting = static_cast<std::int64_t>(memory / 2 / 4 / kBytesPerLaidColumnEntry);
  const std::int64_t wanted = std::max(kBestWaitingEntries, entries / kGoodNumberOfWaitingParts);
  return std::max({std::min(fitting, wanted), kFewestWaitingEntries, entries / kMostWaitingParts});
}

}  // namespace

void RowNorms::append(std::span<const double> norms) {
  kept_.insert(kept_.end(), norms.begin(), norms.end());
  if (!scratch_ && kept_.size() * sizeof(double) <= memory_) return;
  if (!scratch_) scratch_.emplace(staging_);
  static_cast<void>(scratch_->append(std::as_bytes(std::span(kept_))));
  kept_ = {};
}

const double* RowNorms::of_group(std::uint32_t group, std::vector<double>& buffer) const {
  const std::uint64_t first = std::uint64_t{group} * WaitingEntry::rows_of_group;
  if (!scratch_) return kept_.data() + first;
  const std::uint64_t all = scratch_->size() / sizeof(double);
  buffer.resize(static_cast<std::size_t>(std::min<std::uint64_t>(WaitingEntry::rows_of_group, all - first)));
  scratch_->read(first * sizeof(double), std::as_writable_bytes(std::span(buffer)));
  return buffer.data();
}

// A full chunk: in memory, or at a position of the scratch file.
struct WaitingColumns::Chunk {
  const std::uint32_t* kept = nullptr;
  std::uint64_t position = 0;
};

struct WaitingColumns::Part {
  FeatureId first_feature = 0;
  std::int32_t features = 0;
  std::int64_t expected = 0;  // entries

  std::vector<Chunk> full = {};
  std::uint32_t* open = nullptr;
  std::size_t open_size = 0;
};

// The entries of a part, sorted by feature; not sorted if it has too many to hold at once.
struct WaitingColumns::LaidPart {
  Part* part = nullptr;
  bool is_laid = false;
  LargeArray<std::int32_t> rows = {};  // its memory is kept from part to part
  LargeArray<float> values = {};
  std::vector<std::uint32_t> next = {};
};

// Makes entries of words. Keeps its state between pieces of words, because an entry or a group may continue in the next piece.
class WaitingColumns::Decoder {
 public:
  Decoder(const WaitingColumns& columns, const Part& part)
      : norms_(columns.norms_),
        weight_(columns.weight_),
        idf_(std::span(columns.idf_)
                 .subspan(static_cast<std::size_t>(part.first_feature), static_cast<std::size_t>(part.features))) {
    for (std::uint32_t count = 1; count < weights_.size(); ++count) weights_[count] = term_weight(weight_, count);
  }

  /// `take(feature of the part, row, value)`
  template <typename Take>
  void decode(std::span<const std::uint32_t> words, const Take& take) {
    for (const std::uint32_t word : words) {
      const std::uint32_t feature = word % WaitingEntry::features_of_part;
      const std::uint32_t row = (word >> WaitingEntry::feature_bits) % WaitingEntry::rows_of_group;
      const std::uint32_t count = word >> (WaitingEntry::feature_bits + WaitingEntry::row_bits);
      if (count - 1 >= most_plain_) [[unlikely]] {
        decode_rare(word, take);
        continue;
      }
      take(feature, first_row_ + static_cast<std::int32_t>(row),
           static_cast<float>(weights_[count] * idf_[feature] / group_norms_[row]));
    }
  }

 private:
  // Takes a word that begins a group, or one of the two words of an entry with a large count.
  template <typename Take>
  void decode_rare(std::uint32_t word, const Take& take) {
    if (large_) {
      const std::uint32_t entry = *std::exchange(large_, std::nullopt);
      most_plain_ = WaitingEntry::count_follows - 1;
      const std::uint32_t feature = entry % WaitingEntry::features_of_part;
      const std::uint32_t row = (entry >> WaitingEntry::feature_bits) % WaitingEntry::rows_of_group;
      take(feature, first_row_ + static_cast<std::int32_t>(row),
           static_cast<float>(term_weight(weight_, word) * idf_[feature] / group_norms_[row]));
      return;
    }
    if ((word >> (WaitingEntry::feature_bits + WaitingEntry::row_bits)) != 0) {
      large_ = word;
      most_plain_ = 0;  // the next word is a count, which this function must take, too
      return;
    }
    first_row_ = static_cast<std::int32_t>(word * WaitingEntry::rows_of_group);
    group_norms_ = norms_.of_group(word, buffer_);
  }

  const RowNorms& norms_;
  TermWeight weight_;
  std::span<const double> idf_;
  std::array<double, WaitingEntry::count_follows> weights_{};
  std::uint32_t most_plain_ = WaitingEntry::count_follows - 1;
  std::int32_t first_row_ = 0;
  const double* group_norms_ = nullptr;
  std::optional<std::uint32_t> large_;
  std::vector<double> buffer_;
};

WaitingColumns::WaitingColumns(const PoolStaging& staging, const TextRecipe& recipe, std::vector<std::int64_t> counts,
                               std::vector<double> idf, std::uint64_t memory)
    : staging_(staging),
      weight_(recipe.weight),
      counts_(std::move(counts)),
      idf_(std::move(idf)),
      part_entries_(entries_of_column_part(memory, counts_)),
      norms_(staging, memory / kShareOfNorms) {
  cut_into_parts();
  const std::uint64_t half = memory / 2;
  parts_at_once_ = std::clamp<std::size_t>(half / (static_cast<std::uint64_t>(part_entries_) * kBytesPerLaidColumnEntry), 1,
                                           2 * static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()));
  // Each part has an open chunk that is being filled; the open chunks together take half of the memory for chunks.
  const std::uint64_t for_chunks = half - std::min(half, memory / kShareOfNorms);
  const std::size_t parts = std::max<std::size_t>(parts_.size(), 1);
  chunk_words_ = std::clamp<std::size_t>(for_chunks / 2 / parts / sizeof(std::uint32_t), kFewestWordsOfChunk, kMostWordsOfChunk);
  // Whole pages, so that the disk space of a chunk can be released once the chunk was read.
  if (chunk_words_ > kWordsOfPage) chunk_words_ -= chunk_words_ % kWordsOfPage;
  const std::size_t chunks = for_chunks / (chunk_words_ * sizeof(std::uint32_t));
  chunks_left_ = chunks - std::min(chunks, parts);
}

WaitingColumns::~WaitingColumns() = default;

std::size_t WaitingColumns::parts() const noexcept { return parts_.size(); }

void WaitingColumns::cut_into_parts() {
  Part part;
  for (std::size_t feature = 0; feature < counts_.size(); ++feature) {
    if (part.features > 0 && (part.expected + counts_[feature] > part_entries_ ||
                              static_cast<std::uint32_t>(part.features) == WaitingEntry::features_of_part)) {
      parts_.push_back(std::move(part));
      part = {.first_feature = static_cast<FeatureId>(feature)};
    }
    ++part.features;
    part.expected += counts_[feature];
  }
  if (part.features > 0) parts_.push_back(std::move(part));
}

std::vector<ColumnPlace> WaitingColumns::places() const {
  std::vector<ColumnPlace> places;
  places.reserve(counts_.size());
  for (std::size_t part = 0; part < parts_.size(); ++part)
    for (std::int32_t feature = 0; feature < parts_[part].features; ++feature) places.emplace_back(part, feature);
  return places;
}

void WaitingColumns::append(const ColumnsOfBlock& block) {
  for (std::size_t part = 0; part < parts_.size(); ++part)
    block.for_each_piece(part, [&](std::span<const std::uint32_t> words) { append(parts_[part], words); });
  norms_.append(block.norms());
}

void WaitingColumns::append(Part& part, std::span<const std::uint32_t> words) {
  while (!words.empty()) {
    make_room(part);
    const auto fitting = words.first(std::min(chunk_words_ - part.open_size, words.size()));
    std::ranges::copy(fitting, part.open + part.open_size);
    part.open_size += fitting.size();
    words = words.subspan(fitting.size());
  }
}

void WaitingColumns::make_room(Part& part) {
  if (part.open != nullptr && part.open_size < chunk_words_) return;
  if (part.open != nullptr && chunks_left_ == 0) {
    if (!scratch_) scratch_.emplace(staging_);
    part.full.push_back({.kept = nullptr, .position = scratch_->append(std::as_bytes(std::span(part.open, chunk_words_)))});
    part.open_size = 0;
    return;
  }
  if (part.open != nullptr) {
    part.full.push_back({.kept = part.open});
    --chunks_left_;
  }
  part.open = new_chunk();
  part.open_size = 0;
}

// Cuts chunks from large pages, because a chunk is smaller than one.
std::uint32_t* WaitingColumns::new_chunk() {
  if (slabs_.empty() || cut_of_slab_ + chunk_words_ > kSlabWords) {
    slabs_.emplace_back(kSlabWords);
    cut_of_slab_ = 0;
  }
  return slabs_.back().data() + std::exchange(cut_of_slab_, cut_of_slab_ + chunk_words_);
}

// `visit(words)` in the order in which they came.
template <typename Visit>
void WaitingColumns::visit_chunks(const Part& part, const Visit& visit) const {
  std::vector<std::uint32_t> read;
  for (const Chunk& chunk : part.full) {
    if (chunk.kept != nullptr) {
      visit(std::span(chunk.kept, chunk_words_));
      continue;
    }
    read.resize(chunk_words_);
    scratch_->read(chunk.position, std::as_writable_bytes(std::span(read)));
    visit(std::span<const std::uint32_t>(read));
  }
  visit(std::span<const std::uint32_t>(part.open, part.open_size));
}

std::span<const std::int64_t> WaitingColumns::sizes_of(const Part& part) const {
  return std::span(counts_).subspan(static_cast<std::size_t>(part.first_feature), static_cast<std::size_t>(part.features));
}

void WaitingColumns::lay_out(LaidPart& laid) const {
  const Part& part = *laid.part;
  laid.is_laid = part.expected <= part_entries_;
  if (!laid.is_laid) return;
  const auto entries = static_cast<std::size_t>(part.expected);
  if (laid.rows.size() < entries) {
    laid.rows = LargeArray<std::int32_t>(static_cast<std::size_t>(part_entries_));
    laid.values = LargeArray<float>(static_cast<std::size_t>(part_entries_));
  }
  std::int32_t* const rows = laid.rows.data();
  float* const values = laid.values.data();
  const std::span<const std::int64_t> sizes = sizes_of(part);
  laid.next.resize(sizes.size());
  std::exclusive_scan(sizes.begin(), sizes.end(), laid.next.begin(), std::uint32_t{0});
  std::uint32_t* const next = laid.next.data();
  Decoder decoder(*this, part);
  visit_chunks(part, [&](std::span<const std::uint32_t> words) {
    decoder.decode(words, [&](std::uint32_t feature, std::int32_t row, float value) {
      const std::uint32_t to = next[feature]++;
      if (to >= entries) fail_columns_miscounted();
      rows[to] = row;
      values[to] = value;
    });
  });
  std::uint32_t end = 0;
  for (std::size_t feature = 0; feature < sizes.size(); ++feature) {
    end += static_cast<std::uint32_t>(sizes[feature]);
    if (laid.next[feature] != end) fail_columns_miscounted();
  }
}

// A part that was not sorted has only one feature, so its entries are in order as they came.
void WaitingColumns::stream(const Part& part, const std::function<void(const EntryGroups&)>& consume) const {
  std::vector<std::int32_t> rows;
  std::vector<float> values;
  std::int64_t came = 0;
  Decoder decoder(*this, part);
  visit_chunks(part, [&](std::span<const std::uint32_t> words) {
    rows.clear();
    values.clear();
    decoder.decode(words, [&](std::uint32_t /*feature*/, std::int32_t row, float value) {
      rows.push_back(row);
      values.push_back(value);
    });
    const auto size = static_cast<std::int64_t>(rows.size());
    came += size;
    consume({.first_key = part.first_feature, .sizes = {&size, 1}, .members = rows, .values = values});
  });
  if (came != part.expected) fail_columns_miscounted();
}

void WaitingColumns::hand_over(const LaidPart& laid, const std::function<void(const EntryGroups&)>& consume) const {
  const Part& part = *laid.part;
  if (!laid.is_laid) return stream(part, consume);
  const auto entries = static_cast<std::size_t>(part.expected);
  consume({.first_key = part.first_feature,
           .sizes = sizes_of(part),
           .members = {laid.rows.data(), entries},
           .values = {laid.values.data(), entries}});
}

// Parts are read in order, but their chunks are scattered over the scratch file: so the system learns early what to
// read.
void WaitingColumns::prefetch(const Part& part) const {
  for (const Chunk& chunk : part.full)
    if (chunk.kept == nullptr) scratch_->prefetch(chunk.position, chunk_words_ * sizeof(std::uint32_t));
}

// Releases the disk space of a part for other data.
void WaitingColumns::forget(Part& part) const {
  for (const Chunk& chunk : part.full)
    if (chunk.kept == nullptr) scratch_->release(chunk.position, chunk_words_ * sizeof(std::uint32_t));
  part.full = std::vector<Chunk>();
}

void WaitingColumns::take(const std::function<void(const EntryGroups&)>& consume) {
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
      [&](LaidPart& place) { lay_out(place); },
      [&](LaidPart& place) {
        hand_over(place, consume);
        forget(*place.part);
      });
}

}  // namespace inkling
