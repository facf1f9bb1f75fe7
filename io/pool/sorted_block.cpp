#include "io/pool/sorted_block.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

// A digit of a feature; features below 2^22 have two digits of 11 bits or fewer, the largest three.
constexpr unsigned most_digit_bits = 11;
constexpr std::size_t most_digits = 3;
using DigitCounts = std::array<std::uint32_t, std::size_t{1} << most_digit_bits>;

struct Digits {
  explicit Digits(std::int32_t columns) {
    const auto largest = static_cast<std::uint32_t>(std::max(columns - 1, 0));
    const auto all_bits = static_cast<unsigned>(std::bit_width(largest));
    count = std::max<std::size_t>((all_bits + most_digit_bits - 1) / most_digit_bits, 1);
    bits = (all_bits + static_cast<unsigned>(count) - 1) / static_cast<unsigned>(count);
  }

  [[nodiscard]] std::uint32_t of(std::int32_t key, std::size_t digit) const {
    return (static_cast<std::uint32_t>(key) >> (static_cast<unsigned>(digit) * bits)) & ((1U << bits) - 1U);
  }

  std::size_t count = 1;
  unsigned bits = 0;
};

[[noreturn]] void fail_at_row(std::uint32_t row, const std::string& expectation) {
  throw FormatError(fmt::format("row {} of the block", row), expectation);
}

// How many entries each row has. Throws unless rows ascend.
void count_rows(const RowBlock& block, std::vector<std::uint32_t>& row_sizes) {
  row_sizes.assign(block.rows, 0);
  std::uint32_t last = 0;
  for (const BlockEntry& entry : block.entries) {
    if (entry.row < last || entry.row >= block.rows) {
      throw std::logic_error("the rows of a block must ascend and be within it");
    }
    last = entry.row;
    ++row_sizes[entry.row];
  }
}

// Adds how often each value of each digit comes. Throws unless every feature is a column.
void count_digits(const RowBlock& block, std::int32_t columns, const Digits& digits,
                  std::array<DigitCounts, most_digits>& counts) {
  for (const BlockEntry& entry : block.entries) {
    if (entry.feature < 0 || entry.feature >= columns) {
      fail_at_row(entry.row,
                  fmt::format("expected a feature from 0 to {}, got {}", columns - 1, entry.feature));
    }
    for (std::size_t digit = 0; digit < digits.count; ++digit)
      ++counts[digit][digits.of(entry.feature, digit)];
  }
}

GroupedEntry grouped(const BlockEntry& entry) {
  return {.key = entry.feature, .member = static_cast<std::int32_t>(entry.row), .value = entry.value};
}
GroupedEntry grouped(const GroupedEntry& entry) { return entry; }

// One pass of the radix sort. `counts` become the places where each value of the digit goes.
template <typename Entry>
void scatter_by_digit(const std::vector<Entry>& from, std::size_t digit, const Digits& digits,
                      DigitCounts& counts, std::vector<GroupedEntry>& to) {
  std::uint32_t begin = 0;
  for (std::uint32_t& count : counts) begin += std::exchange(count, begin);
  for (const Entry& entry : from) {
    const GroupedEntry moved = grouped(entry);
    to[counts[digits.of(moved.key, digit)]++] = moved;
  }
}

// Rows from columns: entries that ascend by feature, dealt out to their rows, ascend in each.
void scatter_by_row(SortedBlock& sorted, std::vector<std::uint32_t>& next) {
  next.resize(sorted.row_sizes.size());
  std::uint32_t begin = 0;
  for (std::size_t row = 0; row < next.size(); ++row) {
    next[row] = begin;
    begin += sorted.row_sizes[row];
  }
  GroupedEntry last = {.key = -1, .member = -1, .value = 0};
  for (const GroupedEntry& entry : sorted.by_feature) {
    // Rows ascend within a feature, so a feature that a row holds twice comes twice in succession.
    if (entry.key == last.key && entry.member == last.member) {
      fail_at_row(static_cast<std::uint32_t>(entry.member),
                  fmt::format("expected each feature once, got feature {} twice", entry.key));
    }
    last = entry;
    const std::uint32_t to = next[static_cast<std::size_t>(entry.member)]++;
    sorted.features[to] = entry.key;
    sorted.values[to] = entry.value;
  }
}

}  // namespace

void BlockSorter::sort(const RowBlock& block, std::int32_t columns, SortedBlock& sorted) {
  if (block.rows > RowBlock::most_rows) throw std::logic_error("a block has at most 65,536 rows");
  const Digits digits(columns);
  std::array<DigitCounts, most_digits> counts{};
  count_rows(block, sorted.row_sizes);
  count_digits(block, columns, digits, counts);

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

SortedBlock sorted_block(const RowBlock& block, std::int32_t columns) {
  SortedBlock sorted;
  BlockSorter().sort(block, columns, sorted);
  return sorted;
}

}  // namespace inkling
