// The eigenvalues and eigenvectors of a small symmetric matrix.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace inkling::bench {

/// A = sum of values[r] v_r v_r', with orthonormal v_r.
struct SymmetricEigen {
  std::vector<double> values;   ///< descending
  std::vector<double> vectors;  ///< v_r is row r

  [[nodiscard]] std::span<const double> vector(std::size_t r) const noexcept {
    return std::span(vectors).subspan(r * values.size(), values.size());
  }
};

/// Householder's tridiagonal form and implicit QL steps on it: exact to a few roundings of the largest value.
/// Requires: `matrix` is size x size and symmetric, its squares do not overflow. Throws NumericalError where
/// an entry is not finite.
[[nodiscard]] SymmetricEigen symmetric_eigen(std::vector<double> matrix, std::size_t size);

}  // namespace inkling::bench
