// The entries of a block of rows as they wait to become columns: four bytes each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace inkling {

/// A waiting entry in a word of 32 bits: the feature within its part, the row within its group of rows, and the count of
/// the term. Its value is computed from these, the idf and the norm of the row. A word with a count of 0 begins a group
/// of rows: its other bits are the number of the group. A count that is too large for its bits follows as a word of its
/// own.
struct WaitingEntry {
  static constexpr unsigned feature_bits = 13;
  static constexpr unsigned row_bits = 13;
  static constexpr unsigned count_bits = 6;
  static_assert(feature_bits + row_bits + count_bits == 32);

  static constexpr std::uint32_t features_of_part = 1U << feature_bits;
  static constexpr std::uint32_t rows_of_group = 1U << row_bits;
  static constexpr std::uint32_t count_follows = (1U << count_bits) - 1;
};

/// Where the entries of a feature wait: its part, and its number there.
class ColumnPlace {
 public:
  ColumnPlace() = default;
  /// `feature`: counted from the part's first. Requires: both have few enough bits.
  ColumnPlace(std::size_t part, std::int32_t feature)
      : bits_((static_cast<std::uint32_t>(part) << WaitingEntry::feature_bits) | static_cast<std::uint32_t>(feature)) {}

  [[nodiscard]] std::uint32_t part() const noexcept { return bits_ >> WaitingEntry::feature_bits; }
  [[nodiscard]] std::uint32_t feature() const noexcept { return bits_ % WaitingEntry::features_of_part; }

 private:
  std::uint32_t bits_ = 0;
};
static_assert(sizeof(ColumnPlace) == 4);

/// The entries of consecutive rows, in the form in which they wait. Keeps its memory from block to block. Thread safety:
/// one thread at a time.
class ColumnsOfBlock {
 public:
  void begin(std::int64_t first_row, std::size_t parts);
  /// Appends the next row. Requires: as many counts as places, no count of 0, and parts below the number given to
  /// begin().
  void append(std::span<const ColumnPlace> places, std::span<const std::uint32_t> counts, double norm);

  /// Calls visit(words) for all words of a part, in order.
  template <typename Visit>
  void for_each_piece(std::size_t part, const Visit& visit) const {
    const std::uint32_t end = next_[part];
    auto piece = static_cast<std::uint32_t>(part);
    for (; piece != end / words_of_piece; piece = piece_after_[piece])
      visit(std::span(words_).subspan(std::size_t{piece} * words_of_piece, words_of_piece));
    const std::size_t begin = std::size_t{piece} * words_of_piece;
    visit(std::span(words_).subspan(begin, end - begin));
  }
  [[nodiscard]] std::span<const double> norms() const noexcept { return norms_; }

 private:
  // The words of a part are written in pieces of this size, so that they never have to be moved.
  static constexpr std::uint32_t words_of_piece = 64;

  void make_room(std::size_t words);
  void begin_group();
  void append(std::uint32_t part, std::uint32_t word);
  // Not inlined, so that the loop which rarely calls it keeps its registers.
  [[gnu::noinline]] void begin_piece(std::uint32_t part);

  std::int64_t row_ = 0;  // the next one
  // The first piece of a part has the part's number.
  std::vector<std::uint32_t> piece_after_;  // by piece; there is room for as many pieces as this has elements
  std::vector<std::uint32_t> words_;        // of all pieces
  std::uint32_t pieces_ = 0;                // how many are in use
  std::vector<std::uint32_t> next_;         // by part: where its next word goes; there is always room for it
  std::vector<double> norms_;
};

}  // namespace inkling
