#include "tests/support/reference_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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

void ReferenceRidge::adopt(FeatureId feature) {
  features_.push_back(feature);
  precision_[feature] = ridge_;
}

void ReferenceRidge::forget(FeatureId feature) {
  std::erase(features_, feature);
  precision_.erase(feature);
}

SolvedRidge ReferenceRidge::solved() const {
  const std::size_t m = features_.size();
  SquareMatrix gram = identity_times(m, 0.0L);
  Real log_det_prior = 0.0L;
  Real least = std::numeric_limits<Real>::infinity();
  for (std::size_t i = 0; i < m; ++i) {
    gram.at(i, i) = precision_.at(features_[i]);
    least = std::min(least, gram.at(i, i));
    log_det_prior += std::log(gram.at(i, i));
  }
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
  const Real log_det_ratio = factor.log_det() - log_det_prior;
  return {features_,          std::move(factor), std::move(theta),
          std::move(inverse), log_det_ratio,     m == 0 ? 0.0L : trace / least};
}

}  // namespace inkling::test
