#include "engine/policy/learner.hpp"

#include "engine/policy/optimistic_learner.hpp"
#include "engine/policy/rescoring_learner.hpp"
#include "engine/policy/thompson_learner.hpp"

namespace inkling {

std::unique_ptr<Learner> make_learner(LearnerKind kind, PoolView pool, const LearnerOptions& options) {
  switch (kind) {
    case LearnerKind::none:
      return nullptr;
    case LearnerKind::thompson:
      return std::make_unique<ThompsonLearner>(pool, options);
    case LearnerKind::optimism:
      break;
  }
  if (options.scoring == Scoring::rescoring) return std::make_unique<RescoringLearner>(pool, options);
  return std::make_unique<OptimisticLearner>(pool, options);
}

}  // namespace inkling
