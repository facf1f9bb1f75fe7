#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/system/interruption.hpp"
#include "io/base/system/memory.hpp"
#include "io/corpus/pool/format/npy_header.hpp"
#include "io/corpus/pool/format/running_checksum.hpp"
#include "io/corpus/pool/format/set_copies.hpp"
#include "io/corpus/pool/open/read_pool.hpp"
#include "io/corpus/same/same_records.hpp"
#include "io/parts/shards/join_set.hpp"
#include "io/search/events/pool_fingerprint.hpp"

namespace inkling {
namespace {

using Shards = std::vector<std::unique_ptr<OpenPool>>;

constexpr std::size_t kNumbersAtOnce = std::size_t{1} << 16U;

// Lifetime: that of the text.
std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::int64_t numbers_in(const OpenPool& shard, std::string_view name, std::size_t size) {
  return static_cast<std::int64_t>((shard.record(name).bytes - kPoolNpyHeaderBytes) / size);
}

// Calls visit(numbers of shard n) for all numbers of an array of each shard, in order; of offsets, the first one is left out.
template <typename Number>
void visit_numbers(const Shards& shards, std::string_view name, const auto& visit) {
  std::vector<Number> numbers(kNumbersAtOnce);
  for (std::size_t n = 0; n < shards.size(); ++n) {
    CheckedReader reader(*shards[n], name, PoolTrust::checksums);
    std::int64_t left = numbers_in(*shards[n], name, sizeof(Number));
    reader.skip_npy_header<Number>(left);
    while (left > 0) {
      throw_if_interrupted();
      const auto some = std::span(numbers).first(static_cast<std::size_t>(std::min<std::int64_t>(left, std::ssize(numbers))));
      reader.read_numbers(some);
      visit(n, some);
      left -= std::ssize(some);
    }
  }
}

// The record that the one pool has of an array: those of the shards, one after the other.
template <typename Number>
FileRecord record_of_array(const Shards& shards, const std::string& name) {
  std::int64_t count = 0;
  for (const auto& shard : shards) count += numbers_in(*shard, name, sizeof(Number));
  RunningRecord record(name);
  record.add(bytes_of(pool_npy_header(npy_descr<Number>, count)));
  visit_numbers<Number>(shards, name, [&](std::size_t, std::span<const Number> some) { record.add(std::as_bytes(some)); });
  return std::move(record).record();
}

// The same of offsets, which continue from shard to shard.
FileRecord record_of_offsets(const Shards& shards, const std::string& name, std::int64_t rows) {
  RunningRecord record(name);
  record.add(bytes_of(pool_npy_header(npy_descr<std::int64_t>, rows + 1)));
  std::int64_t begin = 0;
  std::int64_t last = 0;
  std::size_t at = shards.size();
  std::vector<std::int64_t> moved;
  visit_numbers<std::int64_t>(shards, name, [&](std::size_t shard, std::span<const std::int64_t> some) {
    const bool begins = std::exchange(at, shard) != shard;
    if (begins) begin = last;
    const bool repeats_last = shard > 0 && begins;
    moved.clear();
    for (const std::int64_t offset : repeats_last ? some.subspan(1) : some) moved.push_back(begin + offset);
    last = begin + some.back();
    record.add(std::as_bytes(std::span(std::as_const(moved))));
  });
  return std::move(record).record();
}

std::string fingerprint_of_one_pool(const SetFile& set, const Shards& shards) {
  Manifest manifest;
  manifest.rows = set.rows;
  manifest.columns = set.columns;
  if (const FileRecord* const words = shards.front()->manifest().file(PoolFile::vocabulary)) manifest.files.push_back(*words);
  const std::string offsets = PoolFile::offsets_of(PoolFile::ids);
  const std::string ids = PoolFile::bytes_of(PoolFile::ids);
  if (shards.front()->manifest().file(offsets) != nullptr) {
    manifest.files.push_back(record_of_offsets(shards, offsets, set.rows));
    manifest.files.push_back(record_of_array<std::uint8_t>(shards, ids));
  } else {
    manifest.files.push_back(record_of_offsets(shards, std::string(PoolFile::row_offsets), set.rows));
    manifest.files.push_back(record_of_array<FeatureId>(shards, std::string(PoolFile::row_features)));
  }
  std::ranges::sort(manifest.files, {}, &FileRecord::name);
  return pool_fingerprint(manifest);
}

// Reads an array of all shards as one list, from its begin to its end and from its begin again. A shard that has no such array has
// zeros.
template <typename Value>
class ValuesOfShards {
 public:
  ValuesOfShards(const Shards& shards, std::string_view name) : shards_(shards), name_(name) {}

  // Skips what lies between the last value and this one.
  void read(std::uint64_t first, std::span<Value> values) {
    if (first < at_ || shard_ == shards_.size()) begin_shard(0, 0);
    std::vector<Value> skipped(std::min<std::size_t>(kNumbersAtOnce, static_cast<std::size_t>(first - at_)));
    while (at_ < first)
      take(std::span(skipped).first(static_cast<std::size_t>(std::min<std::uint64_t>(skipped.size(), first - at_))));
    take(values);
  }

 private:
  void take(std::span<Value> values) {
    while (!values.empty()) {
      while (left_ == 0) begin_shard(shard_ + 1, at_);
      const auto some = values.first(static_cast<std::size_t>(std::min<std::uint64_t>(values.size(), left_)));
      if (reader_)
        reader_->read(std::as_writable_bytes(some));
      else
        std::ranges::fill(some, Value());
      left_ -= some.size();
      at_ += some.size();
      values = values.subspan(some.size());
    }
  }

  void begin_shard(std::size_t number, std::uint64_t at) {
    shard_ = number;
    at_ = at;
    const OpenPool& shard = *shards_[number];
    left_ = static_cast<std::uint64_t>(shard.manifest().rows);
    reader_.reset();
    if (shard.manifest().file(name_) == nullptr) return;
    constexpr auto numbers = static_cast<std::int64_t>(sizeof(Value) / sizeof(std::int64_t));
    reader_ = std::make_unique<CheckedReader>(shard, name_, PoolTrust::checksums);
    reader_->skip_npy_header<std::int64_t>(numbers * shard.manifest().rows);
  }

  const Shards& shards_;
  std::string_view name_;
  std::size_t shard_ = shards_.size();
  std::unique_ptr<CheckedReader> reader_;
  std::uint64_t left_ = 0;
  std::uint64_t at_ = 0;  // the next value
};

bool have(const Shards& shards, std::string_view name) {
  return std::ranges::any_of(shards, [name](const auto& shard) { return shard->manifest().file(name) != nullptr; });
}

}  // namespace

CopiedSetRows compare_records(SetFile& set, const std::string& set_path, SameBy by) {
  constexpr std::uint64_t least_memory = std::uint64_t{32} << 20U;
  Shards shards;
  for (const ShardRecord& shard : set.shards) shards.push_back(std::make_unique<OpenPool>(shard_path(set_path, shard)));
  set.fingerprint = fingerprint_of_one_pool(set, shards);
  CopiedSetRows copies;
  if (by.any()) {
    if (!std::ranges::all_of(shards, [](const auto& shard) { return shard->manifest().file(PoolFile::text_marks) != nullptr; }))
      return copies;
    ValuesOfShards<StringMark> marks(shards, PoolFile::text_marks);
    ValuesOfShards<RecordIdentity> identities(shards, PoolFile::identities);
    const ReadMarks texts = [&](std::uint64_t first, std::span<StringMark> some) { marks.read(first, some); };
    const auto rows = static_cast<std::uint64_t>(set.rows);
    const std::uint64_t memory = std::max(memory_of_machine() / 4, least_memory);
    if (have(shards, PoolFile::identities))
      copies = same_records(
          rows, texts, [&](std::uint64_t first, std::span<RecordIdentity> some) { identities.read(first, some); }, by, memory);
    else if (by.text)
      copies = repeated_marks(rows, texts, memory);
  }
  set.copies.emplace().count = std::ssize(copies.rows);
  if (set.copies->count == 0) return copies;
  set.copies->path = std::filesystem::path(set_path).filename().string() + ".copies.npy";
  set.copies->checksum = checksum_of(bytes_of(set_copies_bytes(copies)));
  return copies;
}

}  // namespace inkling
