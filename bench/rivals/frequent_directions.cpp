#include "bench/rivals/frequent_directions.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

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

std::size_t checked_directions(std::int32_t columns, std::int32_t directions) {
  if (directions < 1 || directions > kLargestSketch) {
    throw FormatError("the directions of a sketch",
                      fmt::format("expected from 1 to {}, got {}", kLargestSketch, directions));
  }
  return static_cast<std::size_t>(std::clamp(columns, 1, directions));
}

/// An eigenvalue no larger than this is rounding.
double rounding_of(const SymmetricEigen& eigen) {
  const auto size = static_cast<double>(eigen.values.size());
  return eigen.values.front() * size * std::numeric_limits<double>::epsilon();
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

FrequentDirections::FrequentDirections(std::int32_t columns, std::int32_t directions)
    : directions_(checked_directions(columns, directions)),
      features_(static_cast<std::size_t>(columns)),
      columns_(features_ * most_rows(), 0.0),
      gram_(most_rows() * most_rows(), 0.0),
      seen_(features_, 0) {}

void FrequentDirections::add_to(std::span<double> product, double factor, FeatureId feature) const noexcept {
  subtract_scaled(product.data(), -factor, column(feature).data(), product.size());
}

void FrequentDirections::multiply(SparseRow x, std::span<double> product) const noexcept {
  assert(product.size() == rows_);
  std::ranges::fill(product, 0.0);
  for (std::size_t n = 0; n < x.size(); ++n) add_to(product, static_cast<double>(x.values[n]), x.features[n]);
}

void FrequentDirections::multiply(std::span<const double> x, std::span<double> product) const noexcept {
  assert(product.size() == rows_ && x.size() == features_);
  std::ranges::fill(product, 0.0);
  for (std::size_t a = 0; a < x.size(); ++a) {
    if (x[a] != 0.0) add_to(product, x[a], static_cast<FeatureId>(a));
  }
}

void FrequentDirections::append(SparseRow x, std::span<const double> product) {
  assert(!full() && product.size() == rows_);
  for (std::size_t r = 0; r < rows_; ++r) {
    gram_[rows_ * most_rows() + r] = product[r];
    gram_[r * most_rows() + rows_] = product[r];
  }
  gram_[rows_ * most_rows() + rows_] = squared_norm(x);
  for (std::size_t n = 0; n < x.size(); ++n) {
    const auto feature = static_cast<std::size_t>(x.features[n]);
    columns_[feature * most_rows() + rows_] = static_cast<double>(x.values[n]);
    seen_[feature] = 1;
  }
  ++rows_;
}

/// S = U diag(s) W' has the eigenvectors U of S S', and the new rows, diag(sqrt(s^2 - taken)) W', are
/// diag(sqrt(1 - taken / s^2)) U' S.
void FrequentDirections::shrink() {
  if (rows_ == 0) return;
  std::vector<double> gram(rows_ * rows_);
  for (std::size_t r = 0; r < rows_; ++r) {
    std::copy_n(gram_.begin() + static_cast<std::ptrdiff_t>(r * most_rows()), rows_,
                gram.begin() + static_cast<std::ptrdiff_t>(r * rows_));
  }
  const SymmetricEigen eigen = symmetric_eigen(std::move(gram), rows_);
  const double taken = rows_ > directions_ ? std::max(eigen.values[directions_], 0.0) : 0.0;
  const double least = std::max(taken, rounding_of(eigen));

  std::size_t kept = 0;
  while (kept < std::min(rows_, directions_) && eigen.values[kept] > least) ++kept;
  std::vector<double> shares(rows_ * kept);  // by old row, then new row
  for (std::size_t r = 0; r < kept; ++r) {
    const double scale = std::sqrt((eigen.values[r] - taken) / eigen.values[r]);
    for (std::size_t a = 0; a < rows_; ++a) shares[a * kept + r] = scale * eigen.vector(r)[a];
  }
  mix_rows(shares, kept);
  lost_ += taken;
}

/// S = shares' S, and the gram of its rows, which are orthogonal.
void FrequentDirections::mix_rows(std::span<const double> shares, std::size_t kept) {
  std::vector<double> lengths(kept, 0.0);
  std::vector<double> mixed(kept);
  for (std::size_t feature = 0; feature < features_; ++feature) {
    if (seen_[feature] == 0) continue;
    const std::span<double> column = std::span(columns_).subspan(feature * most_rows(), rows_);
    std::ranges::fill(mixed, 0.0);
    for (std::size_t a = 0; a < rows_; ++a) {
      if (column[a] != 0.0) subtract_scaled(mixed.data(), -column[a], shares.data() + a * kept, kept);
    }
    std::ranges::fill(column, 0.0);
    std::ranges::copy(mixed, column.begin());
    for (std::size_t r = 0; r < kept; ++r) lengths[r] += mixed[r] * mixed[r];
  }
  std::ranges::fill(gram_, 0.0);
  for (std::size_t r = 0; r < kept; ++r) gram_[r * most_rows() + r] = lengths[r];
  rows_ = kept;
}

}  // namespace inkling::bench
