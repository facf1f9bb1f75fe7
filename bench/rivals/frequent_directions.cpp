#include "bench/rivals/frequent_directions.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "bench/rivals/symmetric_eigen.hpp"
#include "engine/core/errors.hpp"
#include "engine/model/dense_kernels.hpp"

namespace inkling::bench {
namespace {

std::size_t checked_directions(std::int32_t columns, std::int32_t directions) {
  if (directions < 1 || directions > kLargestSketch) {
    throw FormatError("the directions of a sketch", "expected from 1 to " + std::to_string(kLargestSketch) +
                                                        ", got " + std::to_string(directions));
  }
  return static_cast<std::size_t>(std::clamp(columns, 1, directions));
}

/// An eigenvalue no larger than this is rounding.
double rounding_of(const SymmetricEigen& eigen) {
  const auto size = static_cast<double>(eigen.values.size());
  return eigen.values.front() * size * std::numeric_limits<double>::epsilon();
}

}  // namespace

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
  std::vector<double> shares;  // by old row, then new row
  while (kept < std::min(rows_, directions_) && eigen.values[kept] > least) ++kept;
  shares.resize(rows_ * kept);
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
