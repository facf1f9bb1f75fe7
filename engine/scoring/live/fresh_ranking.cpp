#include "engine/scoring/live/fresh_ranking.hpp"

#include <cstdint>

#include "engine/model/ridge_model.hpp"
#include "engine/scoring/live/postings_ranking.hpp"
#include "engine/scoring/scan/model_scan.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling {
namespace {

std::vector<Ranked> ranked_by_rows(const LinearModel& model, PoolView pool, double radius, std::size_t count,
                                   const Remains& remains) {
  // A scan's block of rows is some of these groups, so each of them is filled by one thread.
  constexpr std::int32_t group = DualScan::kRowsPerBlock;
  std::vector<BestKept> by_group(static_cast<std::size_t>(RowBlocks(pool.documents(), group).count()),
                                 BestKept(count, remains));
  const ModelScan scan(model, pool.whole_documents());
  scan.for_each(pool.by_document, [&](DocumentId i, const Prediction& prediction) {
    by_group[static_cast<std::size_t>(i / group)].consider(
        {i, optimism(prediction.mean, prediction.square, radius)});
  });
  return best_of_parts(by_group, count);
}

}  // namespace

std::vector<Ranked> fresh_ranking(const LinearModel& model, PoolView pool, double radius, std::size_t count,
                                  const Remains& remains) {
  const RidgeModel* const primal = model.primal();
  if (primal != nullptr && primal->keeps_inverse())
    return ranked_by_postings(*primal, pool, radius, count, remains);
  return ranked_by_rows(model, pool, radius, count, remains);
}

}  // namespace inkling
