#include "bench/rivals/projected_learner.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/model/dense_kernels.hpp"
#include "engine/model/dual_ridge_model.hpp"

namespace inkling::bench {
namespace {

void check_dimensions(std::int32_t dimensions) {
  if (dimensions >= 1 && dimensions <= kMostDimensions) return;
  throw FormatError("the dimensions of a projection",
                    fmt::format("expected from 1 to {}, got {}", kMostDimensions, dimensions));
}

/// Projected documents hold every dimension, so their factor has no zeros to skip.
PolicyOptions for_dense_rows(PolicyOptions options) {
  options.factor = FactorKind::dense;
  return options;
}

}  // namespace

Projection::Projection(std::int32_t dimensions, std::vector<double> entries)
    : dimensions_(dimensions), entries_(std::move(entries)) {
  check_dimensions(dimensions);
  assert(entries_.size() % static_cast<std::size_t>(dimensions) == 0);
}

Projection Projection::gaussian(std::int32_t features, std::int32_t dimensions, std::uint64_t seed) {
  check_dimensions(dimensions);
  RandomStream random(seed, 0, RandomRole::projection);
  const double deviation = 1.0 / std::sqrt(static_cast<double>(dimensions));
  std::vector<double> entries(static_cast<std::size_t>(features) * static_cast<std::size_t>(dimensions));
  for (double& entry : entries) entry = deviation * random.normal();
  return {dimensions, std::move(entries)};
}

CsrMatrix Projection::project(CsrView documents) const {
  const auto width = static_cast<std::size_t>(dimensions_);
  std::vector<std::int64_t> offsets = {0};
  for (std::int32_t i = 0; i < documents.rows(); ++i) {
    offsets.push_back(offsets.back() + (documents.row(i).empty() ? 0 : dimensions_));
  }
  std::vector<FeatureId> features(static_cast<std::size_t>(offsets.back()));
  std::vector<float> values(features.size());
  std::vector<double> projected(width);
  for (std::int32_t i = 0; i < documents.rows(); ++i) {
    const SparseRow x = documents.row(i);
    if (x.empty()) continue;
    std::ranges::fill(projected, 0.0);
    for (std::size_t n = 0; n < x.size(); ++n) {
      subtract_scaled(projected.data(), -static_cast<double>(x.values[n]), row(x.features[n]).data(), width);
    }
    const auto first = static_cast<std::size_t>(offsets[static_cast<std::size_t>(i)]);
    std::iota(features.begin() + static_cast<std::ptrdiff_t>(first),
              features.begin() + static_cast<std::ptrdiff_t>(first + width), 0);
    std::ranges::transform(projected, values.begin() + static_cast<std::ptrdiff_t>(first),
                           [](double value) { return static_cast<float>(value); });
  }
  return {dimensions_, std::move(offsets), std::move(features), std::move(values)};
}

ProjectedLearner::ProjectedLearner(PoolView pool, const PolicyOptions& options,
                                   const ProjectionOptions& projection)
    : ProjectedLearner(pool, options,
                       Projection::gaussian(pool.features(), projection.dimensions, projection.seed)) {}

ProjectedLearner::ProjectedLearner(PoolView pool, const PolicyOptions& options, Projection projection)
    : AllFeaturesLearner(pool),
      options_(for_dense_rows(options)),
      projection_(std::move(projection)),
      projected_(projection_.project(pool.by_document)),
      scored_(projected_.view(), make_linear_model(model_form(projected_.view(), projection_.dimensions(),
                                                              options_.expected_rounds),
                                                   projection_.dimensions(), ridge_options(options_))) {
  std::vector<FeatureId> dimensions(static_cast<std::size_t>(projection_.dimensions()));
  std::iota(dimensions.begin(), dimensions.end(), 0);
  scored_.start_with(dimensions);
}

double ProjectedLearner::weight(FeatureId feature) const noexcept {
  // Every dimension came into use in order: of a primal model, coordinates are the dimensions themselves.
  const LinearModel& model = scored_.model();
  const std::vector<double> theta = model.dual() != nullptr
                                        ? model.dual()->weights()
                                        : std::vector<double>(model.theta().begin(), model.theta().end());
  return dot(projection_.row(feature).data(), theta.data(), theta.size());
}

std::optional<double> ProjectedLearner::radius() const { return radius_of(scored_.model(), options_); }

DocumentId ProjectedLearner::choose(RandomStream& /*sampling*/) { return scored_.best(*radius()).document; }

}  // namespace inkling::bench
