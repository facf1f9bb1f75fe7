#include "bench/rivals/projected_learner.hpp"

#include <numeric>
#include <utility>
#include <vector>

#include "engine/model/dense_kernels.hpp"

namespace inkling::bench {
namespace {

/// Projected documents hold every dimension, so their factor has no zeros to skip.
PolicyOptions for_dense_rows(PolicyOptions options) {
  options.factor = FactorKind::dense;
  return options;
}

}  // namespace

ProjectedLearner::ProjectedLearner(PoolView pool, const PolicyOptions& options,
                                   const ProjectionOptions& projection)
    : ProjectedLearner(pool, options,
                       Projection::gaussian(pool.features(), projection.dimensions, projection.seed)) {}

ProjectedLearner::ProjectedLearner(PoolView pool, const PolicyOptions& options, Projection projection)
    : UnmarkedLearner(pool),
      options_(for_dense_rows(options)),
      projection_(std::move(projection)),
      projected_(projection_.project(pool.by_document)),
      scored_(projected_.view(), make_linear_model(model_form(projected_.view(), projection_.dimensions(),
                                                              options_.expected_rounds),
                                                   projected_.view(), ridge_options(options_))) {
  std::vector<FeatureId> dimensions(static_cast<std::size_t>(projection_.dimensions()));
  std::iota(dimensions.begin(), dimensions.end(), 0);
  scored_.start_with(dimensions);
}

double ProjectedLearner::weight(FeatureId feature) const noexcept {
  // Every dimension came into use in order, so both kinds of coordinates are the dimensions themselves.
  const std::span<const double> theta = scored_.model().theta();
  return dot(projection_.row(feature).data(), theta.data(), theta.size());
}

std::optional<double> ProjectedLearner::radius() const { return radius_of(scored_.model(), options_); }

DocumentId ProjectedLearner::choose(RandomStream& /*sampling*/) { return scored_.best(*radius()).document; }

}  // namespace inkling::bench
