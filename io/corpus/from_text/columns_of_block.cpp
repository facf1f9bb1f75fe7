#include "io/corpus/from_text/columns_of_block.hpp"

#include <algorithm>

namespace inkling {
namespace {

std::uint32_t word_of(ColumnPlace place, std::uint32_t row, std::uint32_t count) {
  return place.feature() | (row << WaitingEntry::feature_bits) | (count << (WaitingEntry::feature_bits + WaitingEntry::row_bits));
}

}  // namespace

void ColumnsOfBlock::begin(std::int64_t first_row, std::size_t parts) {
  row_ = first_row;
  norms_.clear();
  pieces_ = static_cast<std::uint32_t>(parts);
  next_.resize(parts);
  for (std::size_t part = 0; part < parts; ++part) next_[part] = static_cast<std::uint32_t>(part) * words_of_piece;
  make_room(0);
}

// Makes room for this many more words in any parts.
void ColumnsOfBlock::make_room(std::size_t words) {
  const std::size_t most = pieces_ + words / words_of_piece + std::min(words, next_.size());
  if (most <= piece_after_.size()) return;
  piece_after_.resize(2 * most);
  words_.resize(piece_after_.size() * words_of_piece);
}

// Small enough to become part of the loop that calls it.
inline void ColumnsOfBlock::append(std::uint32_t part, std::uint32_t word) {
  const std::uint32_t at = next_[part];
  words_[at] = word;
  next_[part] = at + 1;
  if ((at + 1) % words_of_piece == 0) [[unlikely]]
    begin_piece(part);
}

void ColumnsOfBlock::begin_piece(std::uint32_t part) {
  piece_after_[next_[part] / words_of_piece - 1] = pieces_;
  next_[part] = pieces_++ * words_of_piece;
}

void ColumnsOfBlock::begin_group() {
  make_room(next_.size());
  const auto number = static_cast<std::uint32_t>(row_ / WaitingEntry::rows_of_group);
  for (std::uint32_t part = 0; part < next_.size(); ++part) append(part, number);  // with a count of 0
}

void ColumnsOfBlock::append(std::span<const ColumnPlace> places, std::span<const std::uint32_t> counts, double norm) {
  const auto row = static_cast<std::uint32_t>(row_ % WaitingEntry::rows_of_group);
  if (row == 0 || norms_.empty()) begin_group();
  make_room(2 * places.size());
  for (std::size_t n = 0; n < places.size(); ++n) {
    const ColumnPlace place = places[n];
    append(place.part(), word_of(place, row, std::min(counts[n], WaitingEntry::count_follows)));
    if (counts[n] >= WaitingEntry::count_follows) [[unlikely]]
      append(place.part(), counts[n]);
  }
  norms_.push_back(norm);
  ++row_;
}

}  // namespace inkling
