#include "bench/rivals/projection.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "engine/core/errors.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/model/dense_kernels.hpp"

namespace inkling::bench {
namespace {

void check_dimensions(std::int32_t dimensions) {
  if (dimensions >= 1 && dimensions <= kMostDimensions) return;
  throw FormatError(
      "the dimensions of a projection",
      "expected from 1 to " + std::to_string(kMostDimensions) + ", got " + std::to_string(dimensions));
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

}  // namespace inkling::bench
