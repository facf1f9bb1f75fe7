#include "engine/policy/optimistic_learner.hpp"

#include "engine/scoring/ranking.hpp"

namespace inkling {
namespace {

RidgeOptions with_inverse(const PolicyOptions& options, InverseUse inverse) {
  return {.ridge = options.ridge, .factor = options.factor, .inverse = inverse};
}

}  // namespace

void OptimisticLearner::learn(std::span<const Lesson> lessons, const std::function<void()>& between) {
  scored_.pause_scores();
  Learner::learn(lessons, between);
  scored_.resume_scores();
}

SublinearLearner::SublinearLearner(PoolView pool, const PolicyOptions& options)
    : options_(options), model_(pool, with_inverse(options, InverseUse::kept)), scores_(pool) {}

void SublinearLearner::adopt(FeatureId feature) {
  const RankOneChange birth = model_.adopt(feature);
  scores_.adopt(feature, birth);
  follow(birth);
}

void SublinearLearner::forget(FeatureId feature) {
  const std::int32_t position = *model_.features().position(feature);
  const RankOneChange removal = model_.forget(feature);
  scores_.forget(position);
  follow(removal);
}

void SublinearLearner::observe(DocumentId document, double reward) {
  const RankOneChange change = model_.observe(document, reward);
  scores_.observe(document, model_, change);
  follow(change);
}

void SublinearLearner::follow(const RankOneChange& change) {
  if (++events_since_refresh_ >= kRefreshInterval || change.rebuilt) refine();
}

void SublinearLearner::refine() {
  model_.refine();
  scores_.refresh();
  events_since_refresh_ = 0;
}

RescoringLearner::RescoringLearner(PoolView pool, const PolicyOptions& options)
    : options_(options),
      model_(pool, with_inverse(options, InverseUse::solved)),
      documents_(pool.by_document),
      retired_(static_cast<std::size_t>(pool.documents()), false) {}

DocumentId RescoringLearner::choose(RandomStream& /*sampling*/) {
  const double width_factor = *radius();
  Ranked best;
  for (DocumentId i = 0; i < documents_.rows(); ++i) {
    if (retired_[static_cast<std::size_t>(i)]) continue;
    const Prediction prediction = model_.predict(documents_.row(i));
    keep_first(best, {i, optimism(prediction.mean, prediction.square, width_factor)});
  }
  return best.document;
}

}  // namespace inkling
