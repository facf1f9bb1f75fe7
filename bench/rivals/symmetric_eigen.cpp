#include "bench/rivals/symmetric_eigen.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/core/errors.hpp"
#include "engine/model/dense_kernels.hpp"
#include "engine/model/factor_checks.hpp"

namespace inkling::bench {
namespace {

/// T = Q A Q' with T tridiagonal, as it is turned into the eigenvectors.
struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> below;  // below[i] is T(i + 1, i); the last is 0
  std::vector<double> basis;  // Q, row by row

  [[nodiscard]] std::size_t size() const noexcept { return diagonal.size(); }
  [[nodiscard]] double* row(std::size_t i) noexcept { return basis.data() + i * size(); }
};

/// What takes x to (alpha, 0, ..., 0): I - 2 v v', with v left in x. Returns alpha; v is 0 where x has
/// nothing to lose.
double make_reflector(std::span<double> x) {
  double tail = 0.0;
  for (std::size_t i = 1; i < x.size(); ++i) tail += x[i] * x[i];
  const double first = x[0];
  if (tail == 0.0) {
    x[0] = 0.0;
    return first;
  }
  const double length = std::sqrt(first * first + tail);
  const double alpha = first > 0.0 ? -length : length;
  x[0] = first - alpha;
  const double scale = 1.0 / std::sqrt(x[0] * x[0] + tail);
  for (double& entry : x) entry *= scale;
  return alpha;
}

/// The rows and columns of A from `first` on, reflected on both sides: A -= v w' + w v'.
void reflect_both_sides(std::vector<double>& matrix, std::size_t size, std::size_t first,
                        std::span<const double> v) {
  std::vector<double> w(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) {
    w[i] = 2.0 * dot(&matrix[(first + i) * size + first], v.data(), v.size());
  }
  const double half = dot(w.data(), v.data(), v.size());
  for (std::size_t i = 0; i < v.size(); ++i) w[i] -= half * v[i];
  for (std::size_t i = 0; i < v.size(); ++i) {
    double* row = &matrix[(first + i) * size + first];
    for (std::size_t j = 0; j < v.size(); ++j) row[j] -= v[i] * w[j] + w[i] * v[j];
  }
}

/// The rows of Q from `first` on, reflected.
void reflect_basis(Tridiagonal& form, std::size_t first, std::span<const double> v) {
  std::vector<double> sum(form.size(), 0.0);
  for (std::size_t i = 0; i < v.size(); ++i) {
    subtract_scaled(sum.data(), -2.0 * v[i], form.row(first + i), form.size());
  }
  for (std::size_t i = 0; i < v.size(); ++i) {
    subtract_scaled(form.row(first + i), v[i], sum.data(), form.size());
  }
}

Tridiagonal tridiagonal(std::vector<double> matrix, std::size_t size) {
  Tridiagonal form{std::vector<double>(size), std::vector<double>(size, 0.0),
                   std::vector<double>(size * size, 0.0)};
  for (std::size_t i = 0; i < size; ++i) form.row(i)[i] = 1.0;
  for (std::size_t k = 0; k + 1 < size; ++k) {
    std::vector<double> v(size - k - 1);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = matrix[(k + 1 + i) * size + k];
    form.below[k] = make_reflector(v);
    reflect_both_sides(matrix, size, k + 1, v);
    reflect_basis(form, k + 1, v);
  }
  for (std::size_t i = 0; i < size; ++i) form.diagonal[i] = matrix[i * size + i];
  return form;
}

/// The largest entry of T, by whose rounding every eigenvalue is known.
double scale_of(const Tridiagonal& form) {
  double scale = 0.0;
  for (std::size_t i = 0; i < form.size(); ++i) {
    scale = std::max({scale, std::fabs(form.diagonal[i]), std::fabs(form.below[i])});
  }
  return scale;
}

/// Where the block that begins at `first` ends: the first entry below the diagonal that counts for nothing.
std::size_t block_end(const Tridiagonal& form, std::size_t first, double nothing) {
  std::size_t end = first;
  while (end + 1 < form.size() && std::fabs(form.below[end]) > nothing) ++end;
  return end;
}

/// Rows i and i + 1 of Q, turned.
void rotate_basis(Tridiagonal& form, std::size_t i, double cosine, double sine) {
  double* __restrict upper = form.row(i);
  double* __restrict lower = form.row(i + 1);
  for (std::size_t k = 0; k < form.size(); ++k) {
    const double before = lower[k];
    lower[k] = sine * upper[k] + cosine * before;
    upper[k] = cosine * upper[k] - sine * before;
  }
}

/// One QL step with Wilkinson's shift on rows `first` to `last`, as EISPACK has it in tql2.
void implicit_step(Tridiagonal& form, std::size_t first, std::size_t last) {
  std::vector<double>& diagonal = form.diagonal;
  std::vector<double>& below = form.below;
  const double slope = (diagonal[first + 1] - diagonal[first]) / (2.0 * below[first]);
  const double root = std::sqrt(slope * slope + 1.0);
  double bulge = diagonal[last] - diagonal[first] + below[first] / (slope + (slope < 0.0 ? -root : root));
  double sine = 1.0;
  double cosine = 1.0;
  double moved = 0.0;
  for (std::size_t i = last; i-- > first;) {
    const double across = sine * below[i];
    const double along = cosine * below[i];
    const double length = std::sqrt(across * across + bulge * bulge);
    below[i + 1] = length;
    if (length == 0.0) {
      diagonal[i + 1] -= moved;
      below[last] = 0.0;
      return;
    }
    sine = across / length;
    cosine = bulge / length;
    const double before = diagonal[i + 1] - moved;
    const double turn = (diagonal[i] - before) * sine + 2.0 * cosine * along;
    moved = sine * turn;
    diagonal[i + 1] = before + moved;
    bulge = cosine * turn - along;
    rotate_basis(form, i, cosine, sine);
  }
  diagonal[first] -= moved;
  below[first] = bulge;
  below[last] = 0.0;
}

void diagonalise(Tridiagonal& form) {
  // Two steps a value are common; a matrix of finite numbers never comes near the limit.
  constexpr int most_steps = 60;
  const double nothing = std::numeric_limits<double>::epsilon() * scale_of(form);
  for (std::size_t first = 0; first < form.size(); ++first) {
    int steps = 0;
    std::size_t last = block_end(form, first, nothing);
    for (; last != first; last = block_end(form, first, nothing)) {
      if (++steps > most_steps) throw NumericalError("the eigenvalues of a sketch do not settle");
      implicit_step(form, first, last);
    }
  }
}

}  // namespace

SymmetricEigen symmetric_eigen(std::vector<double> matrix, std::size_t size) {
  assert(matrix.size() == size * size);
  check_dense(matrix);
  Tridiagonal form = tridiagonal(std::move(matrix), size);
  diagonalise(form);

  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return form.diagonal[a] > form.diagonal[b]; });
  SymmetricEigen eigen;
  eigen.values.reserve(size);
  eigen.vectors.reserve(size * size);
  for (const std::size_t from : order) {
    eigen.values.push_back(form.diagonal[from]);
    eigen.vectors.insert(eigen.vectors.end(), form.row(from), form.row(from) + size);
  }
  return eigen;
}

}  // namespace inkling::bench
