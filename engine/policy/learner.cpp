#include "engine/policy/learner.hpp"

#include "engine/policy/lasso_learner.hpp"
#include "engine/policy/optimistic_learner.hpp"
#include "engine/policy/persuaded_learner.hpp"
#include "engine/policy/projected_learner.hpp"
#include "engine/policy/rescoring_learner.hpp"
#include "engine/policy/sketched_learner.hpp"
#include "engine/policy/sublinear_learner.hpp"
#include "engine/policy/thompson_learner.hpp"

namespace inkling {
namespace {

std::unique_ptr<Learner> make_optimist(PoolView pool, const LearnerOptions& options,
                                       std::int32_t features_in_use) {
  switch (options.scoring) {
    case Scoring::automatic:
    case Scoring::sublinear:
      return std::make_unique<SublinearLearner>(pool, options);
    case Scoring::running:
      return std::make_unique<OptimisticLearner>(pool, options, features_in_use);
    case Scoring::rescoring:
      break;
  }
  return std::make_unique<RescoringLearner>(pool, options);
}

}  // namespace

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

std::string_view radius_name(RadiusKind radius) noexcept {
  switch (radius) {
    case RadiusKind::automatic:
      return "automatic";
    case RadiusKind::ellipsoid:
      return "ellipsoid";
    case RadiusKind::posterior:
      break;
  }
  return "posterior";
}

std::unique_ptr<LinearModel> model_for(PoolView pool, const LearnerOptions& options,
                                       std::int32_t features_in_use) {
  const ModelForm smaller = model_form(pool, features_in_use, options.expected_rounds);
  return make_linear_model(options.form.value_or(smaller), pool, options.ridge);
}

double radius_of(const LinearModel& model, const LearnerOptions& options) noexcept {
  if (options.radius == RadiusKind::posterior)
    return posterior_radius(model.played().plays(), options.confidence);
  return confidence_radius(model.log_det_ratio(), model.ridge(), options.confidence);
}

Scoring scoring_for(FeatureScope::Kind scope) noexcept {
  return scope == FeatureScope::Kind::all ? Scoring::running : Scoring::sublinear;
}

std::unique_ptr<Learner> make_learner(LearnerKind kind, PoolView pool, const LearnerOptions& options,
                                      std::int32_t features_in_use) {
  switch (kind) {
    case LearnerKind::none:
      return nullptr;
    case LearnerKind::thompson:
      return std::make_unique<ThompsonLearner>(pool, options, features_in_use);
    case LearnerKind::persuaded:
      return std::make_unique<PersuadedLearner>(pool, options, features_in_use);
    case LearnerKind::sketched:
      return std::make_unique<SketchedLearner>(pool, options);
    case LearnerKind::projected:
      return std::make_unique<ProjectedLearner>(pool, options);
    case LearnerKind::lasso:
      return std::make_unique<LassoLearner>(pool, options);
    case LearnerKind::optimism:
      break;
  }
  return make_optimist(pool, options, features_in_use);
}

}  // namespace inkling
