#include "engine/policy/learner.hpp"

#include "engine/policy/optimistic_learner.hpp"
#include "engine/policy/rescoring_learner.hpp"
#include "engine/policy/sublinear_learner.hpp"
#include "engine/policy/thompson_learner.hpp"

namespace inkling {

std::string_view scoring_name(Scoring scoring) noexcept {
  switch (scoring) {
    case Scoring::automatic:
      return "automatic";
    case Scoring::sublinear:
      return "sublinear";
    case Scoring::running:
      return "running";
    case Scoring::rescoring:
      break;
  }
  return "rescoring";
}

Scoring scoring_for(FeatureScope::Kind scope) noexcept {
  return scope == FeatureScope::Kind::all ? Scoring::running : Scoring::sublinear;
}

std::unique_ptr<Learner> make_learner(LearnerKind kind, PoolView pool, const LearnerOptions& options) {
  switch (kind) {
    case LearnerKind::none:
      return nullptr;
    case LearnerKind::thompson:
      return std::make_unique<ThompsonLearner>(pool, options);
    case LearnerKind::optimism:
      break;
  }
  switch (options.scoring) {
    case Scoring::automatic:
    case Scoring::sublinear:
      return std::make_unique<SublinearLearner>(pool, options);
    case Scoring::running:
      return std::make_unique<OptimisticLearner>(pool, options);
    case Scoring::rescoring:
      break;
  }
  return std::make_unique<RescoringLearner>(pool, options);
}

}  // namespace inkling
