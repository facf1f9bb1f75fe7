#include "engine/policy/learner_model.hpp"

#include "engine/model/confidence_radius.hpp"
#include "engine/model/linear_model.hpp"
#include "engine/policy/policy_options.hpp"
#include "engine/scoring/live/scored_model.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling {

RidgeOptions options_on_pool(const PolicyOptions& options, InverseUse inverse) {
  return {.ridge = options.ridge, .factor = options.factor, .inverse = inverse, .rows = RowKeeping::lent, .base = options.base};
}

std::unique_ptr<LinearModel> model_for(PoolView pool, const PolicyOptions& options) {
  return make_linear_model(options.form.value_or(ModelForm::primal), pool.features(), options_on_pool(options));
}

ScoredModel scored_model_for(PoolView pool, const PolicyOptions& options) { return {pool, model_for(pool, options)}; }

ScoredModel graded_model_for(PoolView pool, const PolicyOptions& options) {
  RidgeOptions ridge = options_on_pool(options);
  ridge.ridge = options.inkling.ridge;
  ridge.base = options.inkling.base;
  const std::int32_t dimensions = pool.by_document.vectors().dimensions;
  if (dimensions == 0) return {pool, make_linear_model(form_for_all_features(pool, options), pool.features(), ridge)};
  ridge.rows = RowKeeping::copied;  // no pool holds them with their vectors
  return {pool, make_linear_model(ModelForm::dual, pool.features() + dimensions, ridge)};
}

ModelForm form_for_all_features(PoolView pool, const PolicyOptions& options) {
  constexpr std::int32_t small_gram = 256;
  return pool.features() > small_gram ? ModelForm::dual : options.form.value_or(ModelForm::primal);
}

double radius_of(const LinearModel& model, const PolicyOptions& options) noexcept {
  switch (options.radius) {
    case RadiusKind::automatic:
    case RadiusKind::ellipsoid: break;
    case RadiusKind::posterior: return posterior_radius(model.played().plays(), options.confidence);
  }
  return confidence_radius(model.log_det_ratio(), model.ridge(), options.confidence);
}

}  // namespace inkling
