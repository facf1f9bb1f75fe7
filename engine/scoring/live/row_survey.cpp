#include "engine/scoring/live/row_survey.hpp"

#include <algorithm>
#include <cstdint>

#include "engine/scoring/parallel_blocks.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling {
namespace {

/// Rows in full are long: so many are enough work for a thread.
constexpr std::int32_t kRowsTogether = 256;

}  // namespace

const RowSurvey::Lengths& RowSurvey::lengths() const {
  std::call_once(lengths_once_, [this] {
    const RowBlocks blocks(pool_.documents(), kRowsTogether);
    std::vector<Lengths> by_block(static_cast<std::size_t>(blocks.count()));
    for_each_block(blocks.count(), [&](std::int32_t index) {
      Lengths& largest = by_block[static_cast<std::size_t>(index)];
      for (DocumentId i = blocks[index].first; i < blocks[index].end; ++i) {
        const SparseRow row = pool_.by_document.row(i);
        largest.largest_norm_square = std::max(largest.largest_norm_square, squared_norm(row));
        largest.longest_row = std::max(largest.longest_row, row.size());
        for (const float value : row.values) largest.has_negative |= value < 0.0F;
      }
    });
    for (const Lengths& largest : by_block) {
      lengths_.largest_norm_square = std::max(lengths_.largest_norm_square, largest.largest_norm_square);
      lengths_.longest_row = std::max(lengths_.longest_row, largest.longest_row);
      lengths_.has_negative |= largest.has_negative;
    }
  });
  return lengths_;
}

std::span<const double> RowSurvey::along(SparseRow average) const {
  std::call_once(along_once_, [&] {
    std::vector<double> dense(static_cast<std::size_t>(pool_.features()));
    for (std::size_t n = 0; n < average.size(); ++n)
      dense[static_cast<std::size_t>(average.features[n])] = average.values[n];
    std::vector<double> along(static_cast<std::size_t>(pool_.documents()));
    const RowBlocks blocks(pool_.documents(), kRowsTogether);
    for_each_block(blocks.count(), [&](std::int32_t index) {
      for (DocumentId i = blocks[index].first; i < blocks[index].end; ++i)
        along[static_cast<std::size_t>(i)] = dot_in_any_order(pool_.by_document.row(i), dense);
    });
    along_ = std::move(along);
  });
  return along_;
}

}  // namespace inkling
