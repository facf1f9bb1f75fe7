#include "tests/support/engine/reference_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace inkling::test {
namespace {

std::vector<Real> restricted_to(std::span<const FeatureId> features, SparseRow row, double base, double base_value) {
  std::vector<Real> values;
  for (const FeatureId feature : features) values.push_back(static_cast<Real>(value_at(row, feature)));
  if (base != 0.0) values.push_back(static_cast<Real>(base_value));
  return values;
}

}  // namespace

std::vector<Real> SolvedRidge::restricted(SparseRow row, double base_value) const {
  return restricted_to(features, row, base, base_value);
}

Real SolvedRidge::weight(FeatureId feature) const {
  const auto found = std::ranges::find(features, feature);
  return found == features.end() ? 0.0L : theta[static_cast<std::size_t>(found - features.begin())];
}

Real SolvedRidge::mean(SparseRow row, double base_value) const { return inner(restricted(row, base_value), theta); }

Real SolvedRidge::square(SparseRow row, double base_value) const {
  const std::vector<Real> x = restricted(row, base_value);
  return inner(x, factor.solve(x));
}

void ReferenceRidge::adopt(FeatureId feature) {
  features_.push_back(feature);
  precision_[feature] = ridge_;
}

SolvedRidge ReferenceRidge::solved() const {
  std::vector<Real> precisions;
  for (const FeatureId feature : features_) precisions.push_back(precision_.at(feature));
  if (base_ != 0.0) precisions.push_back(ridge_);
  const std::size_t m = precisions.size();
  SquareMatrix gram = identity_times(m, 0.0L);
  Real log_det_prior = 0.0L;
  for (std::size_t i = 0; i < m; ++i) {
    gram.at(i, i) = precisions[i];
    log_det_prior += std::log(precisions[i]);
  }
  std::vector<Real> sum(m, 0.0L);
  for (const Observation& seen : observations_) {
    const std::vector<Real> x = restricted_to(features_, seen.row, base_, seen.base);
    const auto weight = static_cast<Real>(seen.weight);
    for (std::size_t i = 0; i < m; ++i) {
      sum[i] += weight * static_cast<Real>(seen.reward) * x[i];
      for (std::size_t j = 0; j < m; ++j) gram.at(i, j) += weight * x[i] * x[j];
    }
  }
  Real trace = 0.0L;
  for (std::size_t i = 0; i < m; ++i) trace += gram.at(i, i);
  TextbookFactor factor(gram);
  std::vector<Real> theta = factor.solve(sum);
  const Real log_det_ratio = factor.log_det() - log_det_prior;
  return {features_,        base_,         std::move(factor),
          std::move(theta), log_det_ratio, m == 0 ? 0.0L : trace / std::ranges::min(precisions)};
}

}  // namespace inkling::test
