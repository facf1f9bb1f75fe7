#include "engine/policy/learner.hpp"

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

std::unique_ptr<LinearModel> model_for(PoolView pool, const PolicyOptions& options) {
  return make_linear_model(options.form.value_or(ModelForm::primal), pool, ridge_options(options));
}

double radius_of(const LinearModel& model, const PolicyOptions& options) noexcept {
  if (options.radius == RadiusKind::posterior)
    return posterior_radius(model.played().plays(), options.confidence);
  return confidence_radius(model.log_det_ratio(), model.ridge(), options.confidence);
}

}  // namespace inkling
