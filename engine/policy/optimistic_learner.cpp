#include "engine/policy/optimistic_learner.hpp"

namespace inkling {

OptimisticLearner::OptimisticLearner(PoolView pool, const PolicyOptions& options)
    : options_(options), scored_(pool, model_for(pool, options)) {}

std::int32_t OptimisticLearner::features_in_use() const noexcept { return scored_.model().features_in_use(); }

bool OptimisticLearner::uses(FeatureId feature) const noexcept { return scored_.model().uses(feature); }

double OptimisticLearner::weight(FeatureId feature) const noexcept { return scored_.model().weight(feature); }

void OptimisticLearner::learn(std::span<const Lesson> lessons, const std::function<void()>& between) {
  scored_.pause_scores();
  Learner::learn(lessons, between);
  scored_.resume_scores();
}

std::optional<double> OptimisticLearner::radius() const { return radius_of(scored_.model(), options_); }

DocumentId OptimisticLearner::choose(RandomStream& /*sampling*/) { return scored_.best(*radius()).document; }

}  // namespace inkling
