#include "engine/policy/optimistic_learner.hpp"

#include <algorithm>
#include <cmath>

namespace inkling {

OptimisticLearner::OptimisticLearner(PoolView pool, const LearnerOptions& options)
    : Learner(pool, options), pool_(pool), scores_(pool) {}

void OptimisticLearner::adopt(FeatureId feature) {
  const RankOneChange birth = model_.adopt(feature);
  scores_.adopt(feature, birth);
  follow(birth);
}

void OptimisticLearner::forget(FeatureId feature) {
  const std::int32_t position = *model_.features().position(feature);
  const RankOneChange removal = model_.forget(feature);
  scores_.forget(position, removal);
  scores_.rescore(pool_.by_feature.row(feature).features, model_);
  follow(removal);
}

void OptimisticLearner::observe(DocumentId document, double reward) {
  const RankOneChange change = model_.observe(document, reward);
  // The running width of this document and the model's own are two roads to one number. Widths only shrink
  // from |x|^2 / lambda on, so that is the scale on which a difference counts.
  const auto at = static_cast<std::size_t>(document);
  const double scale = squared_norm(pool_.by_document.row(document)) / model_.ridge();
  const bool retired = std::isinf(scores_.means()[at]);
  const bool drifted = !retired && std::fabs(scores_.squares()[at] - change.leverage) > 1e-11 * scale;
  scores_.observe(change);
  if (drifted) {
    refresh();
  } else {
    follow(change);
  }
}

void OptimisticLearner::follow(const RankOneChange& change) {
  ++events_since_refresh_;
  if (change.rebuilt || events_since_refresh_ >= kRefreshInterval) refresh();
}

void OptimisticLearner::refresh() {
  model_.refine();
  scores_.refresh(model_);
  events_since_refresh_ = 0;
}

void OptimisticLearner::retire(DocumentId document) { scores_.retire(document); }

DocumentId OptimisticLearner::choose(RandomStream& /*sampling*/) {
  return scores_.best(confidence()).document;
}

}  // namespace inkling
