#include "engine/policy/learner.hpp"

namespace inkling {

void Learner::learn(std::span<const Lesson> lessons, const std::function<void()>& between) {
  for (const Lesson& lesson : lessons) {
    between();
    observe(lesson.document, lesson.reward);
    for (const FeatureId feature : lesson.adopted) {
      if (!uses(feature)) adopt(feature);
    }
    listen(lesson.document, lesson.marks);
  }
  refine();
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
