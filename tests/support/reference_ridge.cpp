#include "tests/support/reference_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace inkling::test {
namespace {

std::vector<Real> restricted_to(std::span<const FeatureId> features, SparseRow row) {
  std::vector<Real> values;
  for (const FeatureId feature : features) {
    Real value = 0.0L;
    for (std::size_t n = 0; n < row.size(); ++n) {
      if (row.features[n] == feature) value = static_cast<Real>(row.values[n]);
    }
    values.push_back(value);
  }
  return values;
}

}  // namespace

std::vector<Real> SolvedRidge::restricted(SparseRow row) const { return restricted_to(features, row); }

Real SolvedRidge::mean(SparseRow row) const { return inner(restricted(row), theta); }

Real SolvedRidge::square(SparseRow row) const {
  const std::vector<Real> x = restricted(row);
  return inner(x, factor.solve(x));
}

bool ReferenceRidge::uses(FeatureId feature) const {
  return std::ranges::find(features_, feature) != features_.end();
}

SolvedRidge ReferenceRidge::solved() const {
  const std::size_t m = features_.size();
  SquareMatrix gram = identity_times(m, ridge_);
  std::vector<Real> sum(m, 0.0L);
  for (const Observation& seen : observations_) {
    const std::vector<Real> x = restricted_to(features_, pool_.by_document.row(seen.document));
    for (std::size_t i = 0; i < m; ++i) {
      sum[i] += static_cast<Real>(seen.reward) * x[i];
      for (std::size_t j = 0; j < m; ++j) gram.at(i, j) += x[i] * x[j];
    }
  }
  Real trace = 0.0L;
  for (std::size_t i = 0; i < m; ++i) trace += gram.at(i, i);
  TextbookFactor factor(gram);
  std::vector<Real> theta = factor.solve(sum);
  SquareMatrix inverse = factor.inverse();
  const Real log_det_ratio = factor.log_det() - static_cast<Real>(m) * std::log(static_cast<Real>(ridge_));
  return {features_,          std::move(factor), std::move(theta),
          std::move(inverse), log_det_ratio,     trace / static_cast<Real>(ridge_)};
}

}  // namespace inkling::test
