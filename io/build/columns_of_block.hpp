// The entries of a block of rows as they wait to become columns: four bytes each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace inkling {

/// An entry that waits, in 32 bits: which feature of its part, which row of its group of rows, and the count of the
/// term. Its value can be made again of these, of the idf and of the norm of the row. A count of 0 marks where a
/// group of rows begins: the rest is the number of the group. A count that is too large for its bits follows as a word.
struct WaitingEntry {
  static constexpr unsigned feature_bits = 13;
  static constexpr unsigned row_bits = 13;
  static constexpr unsigned count_bits = 6;
  static_assert(feature_bits + row_bits + count_bits == 32);

  static constexpr std::uint32_t features_of_part = 1U << feature_bits;
  static constexpr std::uint32_t rows_of_group = 1U << row_bits;
  static constexpr std::uint32_t count_follows = (1U << count_bits) - 1;
};

/// Where a feature's entries wait.
class ColumnPlace {
 public:
  ColumnPlace() = default;
  /// `feature`: counted from the part's first. Requires: both have few enough bits.
  ColumnPlace(std::size_t part, std::int32_t feature)
      : bits_((static_cast<std::uint32_t>(part) << WaitingEntry::feature_bits) |
              static_cast<std::uint32_t>(feature)) {}

  [[nodiscard]] std::uint32_t part() const noexcept { return bits_ >> WaitingEntry::feature_bits; }
  [[nodiscard]] std::uint32_t feature() const noexcept { return bits_ % WaitingEntry::features_of_part; }

 private:
  std::uint32_t bits_ = 0;
};
static_assert(sizeof(ColumnPlace) == 4);

/// The entries of consecutive rows, as they will wait. Keeps its memory from block to block.
/// Thread safety: one thread at a time.
class ColumnsOfBlock {
 public:
  void begin(std::int64_t first_row, std::size_t parts);
  /// The next row. Requires: as many counts as places, none of them 0; parts below those of begin().
  void append(std::span<const ColumnPlace> places, std::span<const std::uint32_t> counts, double norm);
  /// Brings the entries together by part. Requires: once, after the last row.
  void finish();

  /// Of a part. Lifetime: until the next begin().
  [[nodiscard]] std::span<const std::uint32_t> words(std::size_t part) const noexcept {
    const std::uint32_t begin = part == 0 ? 0 : ends_[part - 1];
    return std::span(words_).subspan(begin, ends_[part] - begin);
  }
  [[nodiscard]] std::span<const double> norms() const noexcept { return norms_; }

 private:
  struct Group {
    std::uint32_t number;
    std::size_t begin;  // in arrived_
  };

  std::int64_t row_ = 0;                // the next one
  std::vector<std::uint64_t> arrived_;  // the part, and below it the word; its size is what there is room for
  std::size_t arrived_size_ = 0;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> ends_;  // by part: first how many words arrived, in the end where they end
  std::vector<std::uint32_t> words_;
  std::vector<double> norms_;
};

}  // namespace inkling
