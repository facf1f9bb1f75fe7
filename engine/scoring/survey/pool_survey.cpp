#include "engine/scoring/survey/pool_survey.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/scoring/parallel_blocks.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling {
namespace {

/// Rows per task: full rows are long enough that this keeps a thread busy.
constexpr std::int32_t kRowsTogether = 256;

}  // namespace

PoolSurvey::PoolSurvey(PoolView pool, std::span<const DocumentId> left_out, std::shared_ptr<const AverageDocument> average)
    : pool_(pool), left_out_(left_out), average_(std::move(average)) {}

const AverageDocument& PoolSurvey::average() const {
  std::call_once(average_once_, [this] {
    if (!average_) average_ = std::make_shared<const AverageDocument>(find_average());
  });
  return *average_;
}

const RowSurvey& PoolSurvey::rows() const {
  std::call_once(rows_once_, [this] { rows_ = find_rows(); });
  return rows_;
}

AverageDocument PoolSurvey::find_average() const { return average_document(pool_.by_feature, left_out_); }

RowSurvey PoolSurvey::find_rows() const { return survey_rows(pool_, average()); }

RowSurvey survey_rows(PoolView pool, const AverageDocument& average) {
  std::vector<double> dense(static_cast<std::size_t>(pool.features()));
  for (std::size_t n = 0; n < average.features.size(); ++n)
    dense[static_cast<std::size_t>(average.features[n])] = average.values[n];
  const auto along = std::make_shared<std::vector<double>>(static_cast<std::size_t>(pool.documents()));
  const RowBlocks blocks(pool.documents(), kRowsTogether);
  std::vector<RowLengths> lengths(static_cast<std::size_t>(blocks.count()));
  for_each_block(blocks.count(), [&](std::int32_t index) {
    for (DocumentId i = blocks[index].first; i < blocks[index].end; ++i) {
      const SparseRow row = pool.by_document.row(i);
      lengths[static_cast<std::size_t>(index)].include(row);
      (*along)[static_cast<std::size_t>(i)] = dot_in_any_order(row, dense);
    }
  });
  RowSurvey survey = {.along = *along, .owner = along};
  for (const RowLengths& part : lengths) survey.lengths.include(part);
  return survey;
}

}  // namespace inkling
