#include "io/pool/write/sorted_block.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

// A digit of a feature; features below 2^22 have two digits of 11 bits or fewer, the largest three.
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
void count(const UnsortedBlock& block, std::int32_t columns, const Digits& digits,
           std::vector<std::uint32_t>& row_sizes, std::array<DigitCounts, kMostDigits>& counts) {
  row_sizes.assign(block.rows, 0);
  std::uint32_t next_row = 0;
  for (auto entry = block.entries.begin(); entry != block.entries.end();) {
    const std::uint32_t row = entry->row;
    if (row < next_row || row >= block.rows) {
      throw std::logic_error("the rows of a block must ascend and be within it");
    }
    const auto first = entry;
    for (; entry != block.entries.end() && entry->row == row; ++entry) {
      const auto feature = static_cast<std::uint32_t>(entry->feature);
      if (feature >= static_cast<std::uint32_t>(columns)) {
        fail_at_row(row, fmt::format("expected a feature from 0 to {}, got {}", columns - 1, entry->feature));
      }
      for (std::size_t digit = 0; digit < digits.count; ++digit)
        ++counts[digit][(feature >> digits.shift(digit)) & digits.mask()];
    }
    row_sizes[row] = static_cast<std::uint32_t>(entry - first);
    next_row = row + 1;
  }
}

std::uint32_t key_of(const BlockEntry& entry) { return static_cast<std::uint32_t>(entry.feature); }
std::uint32_t key_of(const GroupedEntry& entry) { return static_cast<std::uint32_t>(entry.key); }

// One pass of the radix sort. `counts` become the places where each value of the digit goes.
template <typename Entry>
void scatter_by_digit(const std::vector<Entry>& from, std::size_t digit, const Digits& digits,
                      DigitCounts& counts, std::vector<GroupedEntry>& to) {
  // Both kinds of entry are a feature, a row and a value, so that one is copied into the other as it is.
  static_assert(sizeof(Entry) == sizeof(GroupedEntry) &&
                offsetof(BlockEntry, feature) == offsetof(GroupedEntry, key) &&
                offsetof(BlockEntry, row) == offsetof(GroupedEntry, member) &&
                offsetof(BlockEntry, value) == offsetof(GroupedEntry, value));
  std::uint32_t begin = 0;
  for (std::uint32_t& count : counts) begin += std::exchange(count, begin);
  const unsigned shift = digits.shift(digit);
  const std::uint32_t mask = digits.mask();
  GroupedEntry* const out = to.data();
  for (const Entry& entry : from)
    std::memcpy(out + counts[(key_of(entry) >> shift) & mask]++, &entry, sizeof(GroupedEntry));
}

// Rows from columns: entries that ascend by feature, dealt out to their rows, ascend in each.
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
    // Rows ascend within a feature, so a feature that a row holds twice comes twice, one after the other.
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

}  // namespace inkling
