#include "engine/policy/optimistic_learner.hpp"

namespace inkling {

void OptimisticLearner::learn(std::span<const Lesson> lessons, const std::function<void()>& between) {
  scored_.pause_scores();
  Learner::learn(lessons, between);
  scored_.resume_scores();
}

DocumentId OptimisticLearner::choose(RandomStream& /*sampling*/) { return scored_.best(*radius()).document; }

}  // namespace inkling
