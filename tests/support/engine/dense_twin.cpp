#include "tests/support/engine/dense_twin.hpp"

#include <cmath>
#include <string>

#include "engine/core/errors.hpp"

namespace inkling::test {

SquareMatrix identity_times(std::size_t size, Real factor) {
  SquareMatrix matrix(size);
  for (std::size_t i = 0; i < size; ++i) matrix.at(i, i) = factor;
  return matrix;
}

TextbookFactor::TextbookFactor(const SquareMatrix& gram) : lower_(identity_times(gram.size(), 1.0L)), pivots_(gram.size()) {
  for (std::size_t i = 0; i < gram.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      Real entry = gram.at(i, j);
      for (std::size_t k = 0; k < j; ++k) entry -= lower_.at(i, k) * pivots_[k] * lower_.at(j, k);
      lower_.at(i, j) = entry / pivots_[j];
    }
    Real pivot = gram.at(i, i);
    for (std::size_t k = 0; k < i; ++k) pivot -= lower_.at(i, k) * lower_.at(i, k) * pivots_[k];
    if (!(pivot > 0.0L)) throw NumericalError("the twin lost definiteness at pivot " + std::to_string(i));
    pivots_[i] = pivot;
  }
}

std::vector<Real> TextbookFactor::solve(std::span<const Real> b) const {
  const std::size_t n = pivots_.size();
  std::vector<Real> x(b.begin(), b.end());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) x[i] -= lower_.at(i, j) * x[j];
  for (std::size_t i = 0; i < n; ++i) x[i] /= pivots_[i];
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = i + 1; j < n; ++j) x[i] -= lower_.at(j, i) * x[j];
  return x;
}

SquareMatrix TextbookFactor::inverse() const {
  const std::size_t n = pivots_.size();
  SquareMatrix inverse(n);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<Real> one(n, 0.0L);
    one[j] = 1.0L;
    const std::vector<Real> column = solve(one);
    for (std::size_t i = 0; i < n; ++i) inverse.at(i, j) = column[i];
  }
  return inverse;
}

Real TextbookFactor::log_det() const {
  Real sum = 0.0L;
  for (const Real pivot : pivots_) sum += std::log(pivot);
  return sum;
}

std::vector<Real> TextbookFactor::colour(std::span<const double> z) const {
  const std::size_t n = pivots_.size();
  std::vector<Real> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<Real>(z[i]) / std::sqrt(pivots_[i]);
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = i + 1; j < n; ++j) x[i] -= lower_.at(j, i) * x[j];
  return x;
}

void DenseTwinFactor::update(RestrictedRow x, Real weight) {
  const std::vector<Real> row = spelled_out(x, size());
  for (std::size_t i = 0; i < size(); ++i)
    for (std::size_t j = 0; j < size(); ++j) gram_.at(i, j) += weight * row[i] * row[j];
}

void DenseTwinFactor::append(std::span<const double> b, double c) {
  const std::size_t n = size();
  SquareMatrix grown(n + 1);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) grown.at(i, j) = gram_.at(i, j);
    grown.at(i, n) = b[i];
    grown.at(n, i) = b[i];
  }
  grown.at(n, n) = c;
  gram_ = grown;
}

std::vector<Real> spelled_out(RestrictedRow x, std::size_t size) {
  std::vector<Real> row(size, 0.0L);
  for (std::size_t n = 0; n < x.size(); ++n) row.at(static_cast<std::size_t>(x.positions[n])) = x.values[n];
  return row;
}

Real inner(std::span<const Real> a, std::span<const Real> b) {
  Real sum = 0.0L;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace inkling::test
