#include "engine/policy/optimistic_learner.hpp"

#include <algorithm>

#include "engine/core/errors.hpp"
#include "engine/scoring/ranking.hpp"

namespace inkling {

SublinearLearner::SublinearLearner(PoolView pool, const PolicyOptions& options)
    : options_(options), pool_(pool), model_(pool.features(), options_on_pool(options, InverseUse::kept)) {
  if (options.base == 0.0) return;
  throw FormatError("the base rate", "expected none where scoring is sublinear: use running scores");
}

SublinearScores& SublinearLearner::scores() {
  if (scores_) return *scores_;
  scores_.emplace(pool_);
  for (const FeatureId feature : model_.features().in_order()) scores_->adopt(feature, {}, model_);
  for (const DocumentId document : retired_) scores_->retire(document);
  return *scores_;
}

void SublinearLearner::adopt(FeatureId feature) {
  const RankOneChange birth = model_.adopt(feature);
  if (scores_) scores_->adopt(feature, birth, model_);
  follow(birth);
}

void SublinearLearner::observe(DocumentId document, double reward) {
  const RankOneChange change = model_.observe(document, pool_.row_of(document), reward);
  if (scores_) scores_->observe(document, model_, change);
  follow(change);
}

void SublinearLearner::retire(DocumentId document) {
  retired_.push_back(document);
  if (scores_) scores_->retire(document);
}

void SublinearLearner::follow(const RankOneChange& change) {
  if (++events_since_refresh_ >= kRefreshInterval || change.rebuilt) refine();
}

void SublinearLearner::refine() {
  model_.refine();
  if (scores_) scores_->refresh();
  events_since_refresh_ = 0;
}

RescoringLearner::RescoringLearner(PoolView pool, const PolicyOptions& options)
    : options_(options), model_(pool.features(), options_on_pool(options, InverseUse::solved)), pool_(pool) {}

Ranked RescoringLearner::best_held(RandomStream& /*sampling*/) {
  const double width_factor = *radius();
  Ranked best;
  for (DocumentId i = 0; i < pool_.documents(); ++i) {
    if (retired_.contains(i)) continue;
    const Prediction prediction = model_.predict(pool_.by_document.row(i));
    keep_first(best, {i, optimism(prediction.mean, prediction.square, width_factor)});
  }
  return best;
}

std::vector<Ranked> RescoringLearner::rank(RandomStream& /*sampling*/, std::size_t count,
                                           const Remains& remains) {
  const double width_factor = *radius();
  std::vector<Ranked> best;
  for (DocumentId i = 0; i < pool_.documents(); ++i) {
    if (!remains(i)) continue;
    const Prediction prediction = model_.predict(pool_.by_document.row(i));
    keep_best(best, count, Ranked{i, optimism(prediction.mean, prediction.square, width_factor)});
  }
  std::ranges::sort(best, ranks_before);
  return best;
}

}  // namespace inkling
