#include "bench/speed/extended_ridge.hpp"

#include <cassert>
#include <cmath>
#include <limits>

#include "engine/core/errors.hpp"

namespace inkling::bench {
namespace {

Extended dot(const Extended* a, const Extended* b, std::size_t count) {
  Extended sum = 0.0L;
  for (std::size_t n = 0; n < count; ++n) sum += a[n] * b[n];
  return sum;
}

/// Makes x a unit vector and returns the length that it had.
Extended normalise(std::vector<Extended>& x) {
  const Extended length = std::sqrt(dot(x.data(), x.data(), x.size()));
  for (Extended& entry : x) entry /= length;
  return length;
}

}  // namespace

void PlayLog::record(DocumentId document, double reward) {
  const auto at = static_cast<std::size_t>(document);
  assert(document >= 0 && at < plays_.size());
  ++plays_[at];
  Sum& sum = rewards_[at];
  const Extended term = reward;
  const Extended next = sum.value + term;
  sum.lost += std::fabs(sum.value) >= std::fabs(term) ? (sum.value - next) + term : (term - next) + sum.value;
  sum.value = next;
}

std::int64_t PlayLog::plays(DocumentId document) const noexcept {
  return plays_[static_cast<std::size_t>(document)];
}

Extended PlayLog::reward_sum(DocumentId document) const noexcept {
  const Sum& sum = rewards_[static_cast<std::size_t>(document)];
  return sum.value + sum.lost;
}

ExtendedRidge::ExtendedRidge(CsrView documents, const PlayLog& log, double ridge)
    : size_(static_cast<std::size_t>(documents.columns())), lower_(size_ * size_, 0.0L) {
  assert(ridge > 0.0);
  if (std::numeric_limits<Extended>::digits <= std::numeric_limits<double>::digits) {
    throw NumericalError("this processor has no floating point wider than double to compare with");
  }
  theta_ = accumulate(documents, log, ridge);
  factorise();
  for (std::size_t a = 0; a < size_; ++a) log_det_ratio_ += std::log(row(a)[a] * row(a)[a] / Extended{ridge});
  solve_lower(theta_);
  solve_upper(theta_);
}

/// Fills the lower triangle of V and returns sum of y x. A product of two floats, times a count, is exact
/// here.
ExtendedRidge::Vector ExtendedRidge::accumulate(CsrView documents, const PlayLog& log, double ridge) {
  for (std::size_t a = 0; a < size_; ++a) row(a)[a] = ridge;
  Vector response(size_, 0.0L);
  for (DocumentId i = 0; i < documents.rows(); ++i) {
    const auto plays = static_cast<Extended>(log.plays(i));
    if (plays == 0.0L) continue;
    const SparseRow x = documents.row(i);
    for (std::size_t p = 0; p < x.size(); ++p) {
      const auto a = static_cast<std::size_t>(x.features[p]);
      const auto value = static_cast<Extended>(x.values[p]);
      response[a] += value * log.reward_sum(i);
      for (std::size_t q = 0; q <= p; ++q) {
        row(a)[static_cast<std::size_t>(x.features[q])] += plays * value * static_cast<Extended>(x.values[q]);
      }
    }
  }
  return response;
}

void ExtendedRidge::factorise() {
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j < i; ++j) row(i)[j] = (row(i)[j] - dot(row(i), row(j), j)) / row(j)[j];
    const Extended pivot = row(i)[i] - dot(row(i), row(i), i);
    if (!(pivot > 0.0L)) throw NumericalError("the gram is not positive definite in extended precision");
    row(i)[i] = std::sqrt(pivot);
  }
}

void ExtendedRidge::solve_lower(Vector& x) const {
  for (std::size_t i = 0; i < size_; ++i) x[i] = (x[i] - dot(row(i), x.data(), i)) / row(i)[i];
}

void ExtendedRidge::solve_upper(Vector& x) const {
  for (std::size_t j = size_; j-- > 0;) {
    x[j] /= row(j)[j];
    for (std::size_t i = 0; i < j; ++i) x[i] -= row(j)[i] * x[j];
  }
}

ExtendedRidge::Prediction ExtendedRidge::predict(SparseRow document) const {
  Vector x(size_, 0.0L);
  Prediction prediction{0.0L, 0.0L};
  for (std::size_t n = 0; n < document.size(); ++n) {
    const auto a = static_cast<std::size_t>(document.features[n]);
    x[a] = static_cast<Extended>(document.values[n]);
    prediction.mean += x[a] * theta_[a];
  }
  solve_lower(x);
  prediction.square = dot(x.data(), x.data(), size_);
  return prediction;
}

/// L L' x.
ExtendedRidge::Vector ExtendedRidge::times_gram(const Vector& x) const {
  Vector half(size_, 0.0L);
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j <= i; ++j) half[j] += row(i)[j] * x[i];
  }
  Vector product(size_);
  for (std::size_t i = 0; i < size_; ++i) product[i] = dot(row(i), half.data(), i + 1);
  return product;
}

double ExtendedRidge::condition() const {
  if (size_ == 0) return 1.0;
  Vector towards_largest(size_, 1.0L);
  Vector towards_smallest(size_);
  for (std::size_t a = 0; a < size_; ++a) towards_smallest[a] = a % 2 == 0 ? 1.0L : -0.5L;
  normalise(towards_largest);
  normalise(towards_smallest);
  Extended largest = 1.0L;
  Extended inverse_smallest = 1.0L;
  constexpr int steps = 60;
  for (int n = 0; n < steps; ++n) {
    towards_largest = times_gram(towards_largest);
    largest = normalise(towards_largest);
    solve_lower(towards_smallest);
    solve_upper(towards_smallest);
    inverse_smallest = normalise(towards_smallest);
  }
  return static_cast<double>(largest * inverse_smallest);
}

}  // namespace inkling::bench
