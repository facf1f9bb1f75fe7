#include "tests/support/reference_base_ridge.hpp"

#include <cmath>

namespace inkling::test {

std::vector<Real> SolvedBaseRidge::spelled(SparseRow row, double base_value) const {
  std::vector<Real> x;
  for (const FeatureId feature : features) x.push_back(static_cast<Real>(value_at(row, feature)));
  if (base != 0.0) x.push_back(static_cast<Real>(base_value));
  return x;
}

Real SolvedBaseRidge::weight(FeatureId feature) const {
  for (std::size_t a = 0; a < features.size(); ++a)
    if (features[a] == feature) return theta[a];
  return 0.0L;
}

Real SolvedBaseRidge::mean(SparseRow row, double base_value) const {
  return inner(spelled(row, base_value), theta);
}

Real SolvedBaseRidge::square(SparseRow row, double base_value) const {
  const std::vector<Real> x = spelled(row, base_value);
  Real square = 0.0L;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) square += x[i] * inverse.at(i, j) * x[j];
  return square;
}

SolvedBaseRidge ReferenceBaseRidge::solved(bool with_inverse) const {
  SolvedBaseRidge solved{.features = {}, .base = base_, .theta = {}, .inverse = SquareMatrix(0)};
  std::vector<Real> diagonal;
  for (const auto& [feature, precision] : precision_) {
    solved.features.push_back(feature);
    diagonal.push_back(precision);
  }
  if (base_ != 0.0) diagonal.push_back(ridge_);
  const std::size_t m = diagonal.size();
  SquareMatrix gram(m);
  std::vector<Real> sum(m, 0.0L);
  Real log_det_prior = 0.0L;
  for (std::size_t i = 0; i < m; ++i) {
    gram.at(i, i) = diagonal[i];
    log_det_prior += std::log(diagonal[i]);
  }
  for (const Observation& seen : observations_) {
    const std::vector<Real> x = solved.spelled(seen.row, seen.base);
    for (std::size_t i = 0; i < m; ++i) {
      sum[i] += static_cast<Real>(seen.weight) * static_cast<Real>(seen.reward) * x[i];
      for (std::size_t j = 0; j < m; ++j) gram.at(i, j) += static_cast<Real>(seen.weight) * x[i] * x[j];
    }
  }
  const TextbookFactor factor(gram);
  solved.theta = factor.solve(sum);
  if (with_inverse) solved.inverse = factor.inverse();
  solved.log_det_ratio = factor.log_det() - log_det_prior;
  return solved;
}

}  // namespace inkling::test
