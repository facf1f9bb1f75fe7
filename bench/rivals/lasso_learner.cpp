#include "bench/rivals/lasso_learner.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/portable_math.hpp"
#include "engine/scoring/parallel_blocks.hpp"

namespace inkling::bench {
namespace {

RidgeOptions least_squares_on(CsrView documents) {
  constexpr double share = 1e-8;
  double largest = 0.0;
  for (std::int32_t i = 0; i < documents.rows(); ++i) {
    largest = std::max(largest, squared_norm(documents.row(i)));
  }
  const double ridge = std::clamp(share * largest, kSmallestRidge, kLargestRidge);
  return {.ridge = ridge, .factor = FactorKind::dense, .first_capacity = 16};
}

}  // namespace

LassoLearner::LassoLearner(PoolView pool, const LassoOptions& options)
    : UnmarkedLearner(pool),
      scale_(options.scale),
      lasso_(pool.by_document),
      model_(pool, least_squares_on(pool.by_document)),
      product_(pool, model_.coordinates()),
      remaining_(pool.documents()) {}

double LassoLearner::penalty() const noexcept {
  const auto plays = static_cast<double>(model_.played().plays());
  const double logarithms = natural_log(std::max(plays, 2.0)) * natural_log(std::max(features_in_use(), 1));
  return scale_ * std::sqrt(2.0 * logarithms / plays);
}

void LassoLearner::observe(DocumentId document, double reward) {
  model_.observe(document, reward);
  lasso_.observe(document, reward);
  const double now = penalty();
  lasso_.solve(now);
  change_support(thresholded_support(lasso_.theta(), lasso_.support(), now));
}

void LassoLearner::change_support(std::span<const FeatureId> wanted) {
  const std::vector<FeatureId> before(support().begin(), support().end());
  for (const FeatureId feature : before) {
    if (std::ranges::binary_search(wanted, feature)) continue;
    product_.remove(*model_.features().position(feature));
    model_.forget(feature);
  }
  const std::size_t kept = support().size();
  for (const FeatureId feature : wanted) {
    if (model_.uses(feature)) continue;
    model_.adopt(feature);
    product_.admit(feature);
  }
  // With so small a ridge, rounding errors that add up would show.
  const bool changed = kept < before.size() || kept < support().size();
  if (changed) model_.refine();
}

DocumentId LassoLearner::choose(RandomStream& sampling) {
  if (support().empty()) return remaining_.pick(sampling);
  std::vector<Ranked> by_block(static_cast<std::size_t>(product_.blocks()));
  for_each_block(product_.blocks(), [&](std::int32_t index) {
    by_block[static_cast<std::size_t>(index)] = best_of_block(index);
  });
  return first_ranked(by_block).document;
}

Ranked LassoLearner::best_of_block(std::int32_t index) const {
  const RowBlock block = product_.block(index);
  PoolProduct::BlockOfDoubles means;  // not initialised: multiply writes every entry that is read
  product_.multiply(index, model_.theta(), std::span(means).first(block.size()));
  Ranked best;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const DocumentId document = block.first + static_cast<DocumentId>(i);
    if (remaining_.contains(document)) keep_first(best, {document, means[i]});
  }
  return best;
}

}  // namespace inkling::bench
