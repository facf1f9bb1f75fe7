// V = L D L' of the gram over the relevant features: grows by features, takes rank-one updates, never forms
// V^-1.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/model/model_options.hpp"
#include "engine/sparse/restricted_rows.hpp"

namespace inkling {

class PlayedRows;

/// The factor of a symmetric positive definite matrix V of `size()` rows.
///
/// Every member that changes the factor checks its input and its result. It throws NumericalError on a position out of range, a
/// duplicate, a value that is not finite, or a pivot that is no longer positive and finite; the factor must then be rebuilt
/// before it is used again.
///
/// Thread safety: none; even the const members use a workspace of the factor.
class CholeskyFactor {
 public:
  CholeskyFactor() = default;
  CholeskyFactor(const CholeskyFactor&) = delete;
  CholeskyFactor& operator=(const CholeskyFactor&) = delete;
  virtual ~CholeskyFactor() = default;

  [[nodiscard]] virtual std::int32_t size() const noexcept = 0;

  /// Whether one more row can be appended; without room the factor must first be rebuilt with a larger
  /// capacity.
  [[nodiscard]] virtual bool has_room() const noexcept = 0;

  /// The number of stored entries of L below the diagonal: a measure of how sparse the factor is.
  [[nodiscard]] virtual std::int64_t stored_entries() const noexcept = 0;

  /// V = diag(precisions) + sum of weight * x x' over the rows, with room for `capacity` features.
  /// Requires: precisions > 0, precisions.size() <= capacity.
  virtual void rebuild(const PlayedRows& rows, std::span<const double> precisions, std::int32_t capacity) = 0;

  /// The same with one precision for all of `size` features.
  void rebuild(const PlayedRows& rows, double ridge, std::int32_t size, std::int32_t capacity) {
    rebuild(rows, std::vector<double>(static_cast<std::size_t>(size), ridge), capacity);
  }

  /// V += x x'. Cost: the part of L that x reaches.
  virtual void update(RestrictedRow x) = 0;

  /// V += amount e e' with e the unit vector of this position. Requires: 0 <= position < size(), and V stays
  /// positive definite.
  virtual void add_to_diagonal(std::int32_t position, double amount) = 0;

  /// V grows by a last row and column (b, c). Returns the new pivot, the Schur complement c - b' V^-1 b.
  /// Requires: has_room(), b.size() == size().
  virtual double append(std::span<const double> b, double c) = 0;

  /// solution = V^-1 x. Requires: solution.size() == size().
  virtual void solve(RestrictedRow x, std::span<double> solution) const = 0;

  /// solution = V^-1 b for a dense b. Requires: both of size().
  virtual void solve(std::span<const double> b, std::span<double> solution) const = 0;

  /// product = V x. Requires: both of size().
  virtual void multiply(std::span<const double> x, std::span<double> product) const = 0;

  /// The diagonal of V. Requires: of size().
  virtual void diagonal(std::span<double> entries) const = 0;

  /// x' V^-1 x by one triangular solve.
  [[nodiscard]] virtual double inverse_form(RestrictedRow x) const = 0;

  /// direction = A z where A A' = V^-1: turns a standard normal z into one of covariance V^-1. Requires: both
  /// of size().
  virtual void colour(std::span<const double> z, std::span<double> direction) const = 0;

  /// ln det V - sum of ln precision, from the pivots. Throws NumericalError where rounding has left a pivot well below
  /// its precision, which no exact pivot can be. Requires: size() precisions > 0, those with which V was made.
  [[nodiscard]] virtual double log_det_ratio(std::span<const double> precisions) const = 0;

  /// The same with one precision for all features.
  [[nodiscard]] double log_det_ratio(double ridge) const {
    return log_det_ratio(std::vector<double>(static_cast<std::size_t>(size()), ridge));
  }
};

/// Make empty factors: in CHOLMOD's sparse form, and as a full lower triangle. A build without CHOLMOD has only the second.
#ifndef INKLING_NO_CHOLMOD
[[nodiscard]] std::unique_ptr<CholeskyFactor> make_sparse_cholesky();
#endif
[[nodiscard]] std::unique_ptr<CholeskyFactor> make_dense_cholesky();

[[nodiscard]] inline std::unique_ptr<CholeskyFactor> make_cholesky_factor(FactorKind kind) {
  switch (kind) {
    case FactorKind::cholmod:
#ifndef INKLING_NO_CHOLMOD
      return make_sparse_cholesky();
#endif
    case FactorKind::dense: break;
  }
  return make_dense_cholesky();
}

}  // namespace inkling
