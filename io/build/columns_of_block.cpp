#include "io/build/columns_of_block.hpp"

#include <algorithm>
#include <utility>

namespace inkling {
namespace {

std::uint32_t word_of(ColumnPlace place, std::uint32_t row, std::uint32_t count) {
  return place.feature() | (row << WaitingEntry::feature_bits) |
         (count << (WaitingEntry::feature_bits + WaitingEntry::row_bits));
}

}  // namespace

void ColumnsOfBlock::begin(std::int64_t first_row, std::size_t parts) {
  row_ = first_row;
  arrived_size_ = 0;
  groups_.clear();
  ends_.assign(parts, 0);
  norms_.clear();
}

void ColumnsOfBlock::append(std::span<const ColumnPlace> places, std::span<const std::uint32_t> counts,
                            double norm) {
  const auto row = static_cast<std::uint32_t>(row_ % WaitingEntry::rows_of_group);
  if (row == 0 || groups_.empty())
    groups_.push_back({static_cast<std::uint32_t>(row_ / WaitingEntry::rows_of_group), arrived_size_});
  const std::size_t most = arrived_size_ + 2 * places.size();
  if (most > arrived_.size()) arrived_.resize(2 * most);
  std::uint64_t* out = arrived_.data() + arrived_size_;
  for (std::size_t n = 0; n < places.size(); ++n) {
    const ColumnPlace place = places[n];
    const std::uint64_t part = std::uint64_t{place.part()} << 32U;
    ++ends_[place.part()];
    *out++ = part | word_of(place, row, std::min(counts[n], WaitingEntry::count_follows));
    if (counts[n] >= WaitingEntry::count_follows) [[unlikely]] {
      ++ends_[place.part()];
      *out++ = part | counts[n];
    }
  }
  arrived_size_ = static_cast<std::size_t>(out - arrived_.data());
  norms_.push_back(norm);
  ++row_;
}

void ColumnsOfBlock::finish() {
  const auto groups = static_cast<std::uint32_t>(groups_.size());
  std::uint32_t begin = 0;
  for (std::uint32_t& end : ends_) begin += std::exchange(end, begin) + groups;
  words_.resize(begin);
  std::uint32_t* const words = words_.data();
  std::uint32_t* const next = ends_.data();
  for (std::size_t n = 0; n < groups_.size(); ++n) {
    for (std::uint32_t& end : ends_) words[end++] = groups_[n].number;  // with a count of 0
    const std::size_t end_of_group = n + 1 < groups_.size() ? groups_[n + 1].begin : arrived_size_;
    for (std::size_t at = groups_[n].begin; at < end_of_group; ++at)
      words[next[arrived_[at] >> 32U]++] = static_cast<std::uint32_t>(arrived_[at]);
  }
}

}  // namespace inkling
