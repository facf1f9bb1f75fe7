#include "io/corpus/pool/write/matrix_writer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/core/at_once.hpp"
#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling {
namespace {

// Bits in a digit of a feature: features below 2^22 have one or two digits, the largest three.
constexpr unsigned kMostDigitBits = 11;
constexpr std::size_t kMostDigits = 3;
using DigitCounts = std::array<std::uint32_t, std::size_t{1} << kMostDigitBits>;

struct Digits {
  explicit Digits(std::int32_t columns) {
    const auto largest = static_cast<std::uint32_t>(std::max(columns - 1, 0));
    const auto all_bits = static_cast<unsigned>(std::bit_width(largest));
    count = std::max<std::size_t>((all_bits + kMostDigitBits - 1) / kMostDigitBits, 1);
    bits = (all_bits + static_cast<unsigned>(count) - 1) / static_cast<unsigned>(count);
  }

  [[nodiscard]] unsigned shift(std::size_t digit) const { return static_cast<unsigned>(digit) * bits; }
  [[nodiscard]] std::uint32_t mask() const { return (1U << bits) - 1U; }

  std::size_t count = 1;
  unsigned bits = 0;
};

[[noreturn]] void fail_at_row(std::uint32_t row, const std::string& expectation) {
  throw FormatError(fmt::format("row {} of the block", row), expectation);
}

// How many entries each row has, and how often each value of each digit comes. Throws unless rows ascend and
// every feature is a column.
void count(const UnsortedBlock& block, std::int32_t columns, const Digits& digits, std::vector<std::uint32_t>& row_sizes,
           std::array<DigitCounts, kMostDigits>& counts) {
  row_sizes.assign(block.rows, 0);
  std::uint32_t next_row = 0;
  for (auto entry = block.entries.begin(); entry != block.entries.end();) {
    const auto row = static_cast<std::uint32_t>(entry->member);
    if (row < next_row || row >= block.rows) throw std::logic_error("the rows of a block must ascend and be within it");
    const auto first = entry;
    for (; entry != block.entries.end() && entry->member == first->member; ++entry) {
      const auto feature = static_cast<std::uint32_t>(entry->key);
      if (feature >= static_cast<std::uint32_t>(columns))
        fail_at_row(row, fmt::format("expected a feature from 0 to {}, got {}", columns - 1, entry->key));
      for (std::size_t digit = 0; digit < digits.count; ++digit)
        ++counts[digit][(feature >> digits.shift(digit)) & digits.mask()];
    }
    row_sizes[row] = static_cast<std::uint32_t>(entry - first);
    next_row = row + 1;
  }
}

// One pass of the radix sort. `counts` become the places where each value of the digit goes.
void scatter_by_digit(const std::vector<GroupedEntry>& from, std::size_t digit, const Digits& digits, DigitCounts& counts,
                      std::vector<GroupedEntry>& to) {
  std::uint32_t begin = 0;
  for (std::uint32_t& count : counts) begin += std::exchange(count, begin);
  const unsigned shift = digits.shift(digit);
  const std::uint32_t mask = digits.mask();
  GroupedEntry* const out = to.data();
  for (const GroupedEntry& entry : from) out[counts[(static_cast<std::uint32_t>(entry.key) >> shift) & mask]++] = entry;
}

// Makes rows from columns: entries that ascend by feature still ascend when each is appended to its row.
void scatter_by_row(SortedBlock& sorted, std::vector<std::uint32_t>& next) {
  next.resize(sorted.row_sizes.size());
  std::uint32_t begin = 0;
  for (std::size_t row = 0; row < next.size(); ++row) {
    next[row] = begin;
    begin += sorted.row_sizes[row];
  }
  FeatureId* const features = sorted.features.data();
  float* const values = sorted.values.data();
  GroupedEntry last = {.key = -1, .member = -1, .value = 0};
  for (const GroupedEntry& entry : sorted.by_feature) {
    // Rows ascend within a feature, so an entry that comes twice follows itself.
    if (entry.key == last.key && entry.member == last.member) {
      fail_at_row(static_cast<std::uint32_t>(entry.member),
                  fmt::format("expected each feature once, got feature {} twice", entry.key));
    }
    last = entry;
    const std::uint32_t to = next[static_cast<std::size_t>(entry.member)]++;
    features[to] = entry.key;
    values[to] = entry.value;
  }
}

}  // namespace

void BlockSorter::sort(const UnsortedBlock& block, std::int32_t columns, SortedBlock& sorted) {
  if (block.rows > UnsortedBlock::most_rows) throw std::logic_error("a block has at most 65,536 rows");
  const Digits digits(columns);
  std::array<DigitCounts, kMostDigits> counts{};
  count(block, columns, digits, sorted.row_sizes, counts);

  const std::size_t entries = block.entries.size();
  sorted.features.resize(entries);
  sorted.values.resize(entries);
  sorted.by_feature.resize(entries);
  spare_.resize(entries);

  scatter_by_digit(block.entries, 0, digits, counts[0], sorted.by_feature);
  for (std::size_t digit = 1; digit < digits.count; ++digit) {
    std::swap(sorted.by_feature, spare_);
    scatter_by_digit(spare_, digit, digits, counts[digit], sorted.by_feature);
  }
  scatter_by_row(sorted, positions_);
}

MatrixFiles::MatrixFiles(PoolStaging& staging, std::span<const std::int64_t> feature_counts)
    : staging_(staging),
      row_offsets_(staging, std::string(PoolFile::row_offsets)),
      row_features_(staging, std::string(PoolFile::row_features)),
      row_values_(staging, std::string(PoolFile::row_values)),
      column_offsets_(staging, std::string(PoolFile::column_offsets)) {
  row_offsets_.append(0);
  column_offsets_.append(0);
  std::int64_t end = 0;
  for (const std::int64_t count : feature_counts) column_offsets_.append(end += count);
}

void MatrixFiles::append(std::span<const std::uint32_t> row_sizes, std::span<const FeatureId> features,
                         std::span<const float> values, const std::function<void()>& append_columns) {
  if (rows_ + std::ssize(row_sizes) > kMostRowsOrColumns)
    throw FormatError(staging_.target(), fmt::format("expected at most {} rows", digit_groups(kMostRowsOrColumns)));
  offsets_.clear();
  for (const std::uint32_t size : row_sizes) offsets_.push_back(nonzeros_ += size);
  row_offsets_.append(offsets_);
  at_once([&] { row_features_.append(features); }, [&] { row_values_.append(values); }, append_columns);
  rows_ += std::ssize(row_sizes);
}

void MatrixFiles::finish(const TakeColumns& take_columns, const std::function<void(std::int64_t)>& advance) {
  row_offsets_.close();
  row_features_.close();
  row_values_.close();
  column_offsets_.close();

  StagedArray<std::int32_t> rows(staging_, std::string(PoolFile::column_rows));
  StagedArray<float> values(staging_, std::string(PoolFile::column_values));
  take_columns([&](const EntryGroups& groups) {
    at_once([&] { rows.append(groups.members); }, [&] { values.append(groups.values); });
    advance(static_cast<std::int64_t>(groups.members.size()));
  });
  rows.close();
  values.close();
}

MatrixWriter::MatrixWriter(PoolStaging& staging, const std::vector<std::int64_t>& feature_counts, std::uint64_t memory)
    : files_(staging, feature_counts), columns_(staging, feature_counts, memory) {}

void MatrixWriter::append(const SortedBlock& block) {
  const auto first_row = static_cast<std::int32_t>(rows());
  files_.append(block.row_sizes, block.features, block.values, [&] { columns_.append(block.by_feature, first_row); });
}

void MatrixWriter::finish(const std::function<void(std::int64_t)>& advance) {
  files_.finish([this](const auto& consume) { columns_.take(consume); }, advance);
}

void MatrixRows::flush() {
  if (block_.rows == 0) return;
  sorter_.sort(block_, columns_, sorted_);
  writer_.append(sorted_);
  block_.rows = 0;
  block_.entries.clear();
}

}  // namespace inkling
