#include "engine/policy/sublinear_learner.hpp"

namespace inkling {

SublinearLearner::SublinearLearner(PoolView pool, const PolicyOptions& options)
    : RidgeLearner(pool, options, InverseUse::kept), scores_(pool) {}

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

void SublinearLearner::retire(DocumentId document) { scores_.retire(document); }

DocumentId SublinearLearner::choose(RandomStream& /*sampling*/) {
  return scores_.best(model_, *radius()).document;
}

}  // namespace inkling
