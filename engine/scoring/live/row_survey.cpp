#include "engine/scoring/live/row_survey.hpp"

#include <cstdint>

#include "engine/scoring/parallel_blocks.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling {
namespace {

/// Rows in full are long: so many are enough work for a thread.
constexpr std::int32_t kRowsTogether = 256;

}  // namespace

void RowSurvey::tell(std::span<const RowLengths> parts) const {
  std::call_once(lengths_once_, [&] {
    for (const RowLengths& part : parts) lengths_.include(part);
    has_lengths_ = true;
  });
}

std::span<const double> RowSurvey::along(SparseRow average) const {
  std::call_once(along_once_, [&] {
    std::vector<double> dense(static_cast<std::size_t>(pool_.features()));
    for (std::size_t n = 0; n < average.size(); ++n)
      dense[static_cast<std::size_t>(average.features[n])] = average.values[n];
    std::vector<double> along(static_cast<std::size_t>(pool_.documents()));
    const RowBlocks blocks(pool_.documents(), kRowsTogether);
    std::vector<RowLengths> lengths(static_cast<std::size_t>(blocks.count()));
    for_each_block(blocks.count(), [&](std::int32_t index) {
      for (DocumentId i = blocks[index].first; i < blocks[index].end; ++i) {
        const SparseRow row = pool_.by_document.row(i);
        lengths[static_cast<std::size_t>(index)].include(row);
        along[static_cast<std::size_t>(i)] = dot_in_any_order(row, dense);
      }
    });
    along_ = std::move(along);
    tell(lengths);
  });
  return along_;
}

}  // namespace inkling
