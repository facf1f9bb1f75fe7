#include "engine/scoring/scan/dual_bounds.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

namespace inkling {
namespace {

/// Four numbers in one register.
using Four = float __attribute__((vector_size(4 * sizeof(float))));
constexpr std::size_t kLanes = 4;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// Twice the rounding error of one operation in single precision, and eight times that of one in double.
constexpr double kFloatRounding = 0x1p-23;
constexpr double kDoubleRounding = 0x1p-50;
/// An upper bound on the operations on an entry besides its sum.
constexpr std::size_t kOtherOperations = 16;
/// The bounds of rounding here, linear in the length of a row, do not hold for longer rows.
constexpr std::size_t kLongestRow = std::size_t{1} << 18U;
/// A float below this part of the largest may lose bits in a product.
constexpr double kLeastPrecise = 0x1p-100;
/// If |v|^2 is between these, the squares of entries that matter neither underflow nor overflow.
constexpr double kLeastNormSquare = 0x1p-60;
constexpr double kMostNormSquare = 0x1p100;
/// The direction need not be exact.
constexpr int kSteps = 16;

Four four_at(const float* numbers) noexcept {
  Four four;
  std::memcpy(&four, numbers, sizeof four);
  return four;
}

double sum_of(Four four) noexcept {
  return (static_cast<double>(four[0]) + static_cast<double>(four[1])) +
         (static_cast<double>(four[2]) + static_cast<double>(four[3]));
}

std::size_t index_of(FeatureId feature) noexcept { return static_cast<std::size_t>(feature); }

/// The row of L of this index, without its last entry, which is 1.
std::span<const double> lower_row(const KernelFactor& factor, std::size_t index) noexcept {
  return factor.lower().subspan((index * index - index) / 2, index);
}

/// L' v.
std::vector<double> transposed_product(const KernelFactor& factor, std::span<const double> v) {
  std::vector<double> product(v.begin(), v.end());
  for (std::size_t i = 1; i < v.size(); ++i) {
    const std::span<const double> row = lower_row(factor, i);
    for (std::size_t j = 0; j < i; ++j) product[j] += row[j] * v[i];
  }
  return product;
}

/// K v.
std::vector<double> kernel_product(const KernelFactor& factor, std::span<const double> v) {
  std::vector<double> scaled = transposed_product(factor, v);
  for (std::size_t i = 0; i < scaled.size(); ++i) scaled[i] *= factor.pivots()[i];
  std::vector<double> product = scaled;
  for (std::size_t i = 1; i < product.size(); ++i) {
    const std::span<const double> row = lower_row(factor, i);
    for (std::size_t j = 0; j < i; ++j) product[i] += row[j] * scaled[j];
  }
  return product;
}

/// Near the direction in which K is longest; its largest entry is 1.
std::vector<double> long_direction(const KernelFactor& factor) {
  std::vector<double> v(factor.size(), 1.0);
  for (int step = 0; step < kSteps; ++step) {
    v = kernel_product(factor, v);
    double largest = 0.0;
    for (const double entry : v) largest = std::max(largest, std::fabs(entry));
    for (double& entry : v) entry /= largest;
  }
  return v;
}

/// v' K v, rounded up: at least its value for any L within the rounding of a solve, which changes each entry of L by a small part
/// of itself.
double length_square(const KernelFactor& factor, std::span<const double> v) {
  const std::vector<double> product = transposed_product(factor, v);
  std::vector<double> sums(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) {
    sums[i] += std::fabs(v[i]);
    const std::span<const double> row = lower_row(factor, i);
    for (std::size_t j = 0; j < i; ++j) sums[j] += std::fabs(row[j] * v[i]);
  }
  double square = 0.0;
  double square_of_sums = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    square += factor.pivots()[i] * product[i] * product[i];
    square_of_sums += factor.pivots()[i] * sums[i] * sums[i];
  }
  const double rounding = kDoubleRounding * static_cast<double>(v.size() + kOtherOperations);
  const double length = std::sqrt(square) * (1.0 + rounding) + rounding * std::sqrt(square_of_sums);
  return length * length;
}

/// The root of the sum of weight^2 / variance.
double norm_by(std::span<const double> variance, std::span<const double> weights) noexcept {
  double square = 0.0;
  for (std::size_t j = 0; j < weights.size(); ++j)
    if (weights[j] != 0.0) square += weights[j] * weights[j] / variance[j];
  return std::sqrt(square);
}

}  // namespace

DualBounds::Scaled::Scaled(std::span<const double> numbers) {
  double largest = 0.0;
  for (const double number : numbers) largest = std::max(largest, std::fabs(number));
  unit = largest == 0.0 ? 1.0 : largest;
  const auto is_lost = [this](double number) { return number != 0.0 && std::fabs(number) < kLeastPrecise * unit; };
  is_precise = std::isfinite(largest) && std::ranges::none_of(numbers, is_lost);
}

DualBounds::DualBounds(const DualScan& scan, double radius)
    : radius_(radius), base_mean_(scan.base_mean()), base_square_(scan.base_square()) {
  assert(radius >= 0.0);
  if (radius == 0.0)
    take_means(scan.theta());
  else
    take_scores(scan);
}

void DualBounds::take_means(std::span<const double> theta) {
  const Scaled scaled(theta);
  mean_unit_ = scaled.unit;
  is_precise_ = scaled.is_precise;
  table_.reserve(theta.size());
  double square = 0.0;
  for (const double weight : theta) {
    table_.push_back(scaled(weight));
    square += weight * weight;
  }
  mean_norm_ = std::sqrt(square);
}

void DualBounds::take_scores(const DualScan& scan) {
  const std::vector<double> direction = take_direction(scan);
  std::vector<double> roots(scan.variance().begin(), scan.variance().end());
  for (double& root : roots) root = std::sqrt(root);
  const Scaled means(scan.theta());
  const Scaled norms(roots);
  const Scaled directions(direction);
  mean_unit_ = means.unit;
  norm_unit_ = norms.unit;
  direction_unit_ = directions.unit;
  is_precise_ = means.is_precise && norms.is_precise && directions.is_precise;
  mean_norm_ = norm_by(scan.variance(), scan.theta());
  direction_norm_ = norm_by(scan.variance(), direction);
  table_.reserve(kLanes * roots.size());
  for (std::size_t j = 0; j < roots.size(); ++j)
    table_.insert(table_.end(), {means(scan.theta()[j]), norms(roots[j]), directions(direction[j]), 0.0F});
}

std::vector<double> DualBounds::take_direction(const DualScan& scan) {
  std::vector<double> direction(scan.theta().size(), 0.0);
  if (scan.played() == 0) return direction;
  std::vector<double> v = long_direction(scan.factor());
  const double length = std::sqrt(length_square(scan.factor(), v));
  if (!std::isfinite(length) || length == 0.0) return direction;
  for (double& entry : v) entry /= length;
  const CsrMatrix played = scan.played_rows();
  for (std::size_t i = 0; i < v.size(); ++i) {
    const SparseRow row = played.view().row(static_cast<DocumentId>(i));
    double square = 0.0;
    for (std::size_t n = 0; n < row.size(); ++n) {
      const auto value = static_cast<double>(row.values[n]);
      square += value * value * scan.variance()[index_of(row.features[n])];
    }
    direction_sum_ += std::fabs(v[i]) * std::sqrt(square);
    if (scan.base_kernel().empty()) continue;
    direction_base_ += v[i] * scan.base_kernel()[i];
    direction_base_sum_ += std::fabs(v[i] * scan.base_kernel()[i]);
  }
  rounding_of_played_ = kDoubleRounding * static_cast<double>(v.size());
  return weights_of_rows(v, played.view(), scan.variance());
}

/// The sum of |x_j theta_j|, of which rounding may change a part, is at most the product of two norms.
double DualBounds::bound_of_mean(SparseRow row) const noexcept {
  const std::size_t count = row.size();
  if (count == 0) return base_mean_;
  if (!is_precise_ || count > kLongestRow) return kInfinite;
  const float* const values = row.values.data();
  const auto weight = [&](std::size_t n) { return table_[index_of(row.features[n])]; };
  Four products = {};
  Four squares = {};
  std::size_t n = 0;
  for (; n + kLanes <= count; n += kLanes) {
    const Four x = four_at(values + n);
    products += x * Four{weight(n), weight(n + 1), weight(n + 2), weight(n + 3)};
    squares += x * x;
  }
  for (; n < count; ++n) {
    products[0] += values[n] * weight(n);
    squares[0] += values[n] * values[n];
  }
  const double square = sum_of(squares);
  if (!(square >= kLeastNormSquare && square <= kMostNormSquare)) return kInfinite;
  const auto operations = static_cast<double>(count + kOtherOperations);
  return base_mean_ + sum_of(products) * mean_unit_ + kFloatRounding * operations * std::sqrt(square) * mean_norm_ +
         kDoubleRounding * operations * std::fabs(base_mean_);
}

double DualBounds::bound_of_score(SparseRow row) const noexcept {
  const std::size_t count = row.size();
  if (!is_precise_ || count > kLongestRow) return kInfinite;
  Four sums = {};
  Four more_sums = {};
  Four squares = {};
  Four more_squares = {};
  const auto add = [&](std::size_t n, Four& sum, Four& square) {
    const float x = row.values[n];
    const Four terms = four_at(table_.data() + kLanes * index_of(row.features[n])) * Four{x, x, x, x};
    sum += terms;
    square += terms * terms;
  };
  std::size_t n = 0;
  for (; n + 2 <= count; n += 2) {
    add(n, sums, squares);
    add(n + 1, more_sums, more_squares);
  }
  if (n < count) add(n, sums, squares);
  const Four products = sums + more_sums;
  const auto norm_square = static_cast<double>((squares + more_squares)[1]);
  if (count != 0 && !(norm_square >= kLeastNormSquare && norm_square <= kMostNormSquare)) return kInfinite;
  const auto operations = static_cast<double>(count + kOtherOperations);
  const double rounding = kFloatRounding * operations;
  const double norm = std::sqrt(norm_square) * norm_unit_ * (1.0 + rounding);
  const double mean = base_mean_ + static_cast<double>(products[0]) * mean_unit_ + rounding * norm * mean_norm_ +
                      kDoubleRounding * operations * std::fabs(base_mean_);
  const double prior = (norm * norm + base_square_) * (1.0 + rounding);
  const double rounding_of_kernel = kDoubleRounding * operations + rounding_of_played_;
  const double along = std::fabs(static_cast<double>(products[2]) * direction_unit_ + direction_base_) -
                       rounding * norm * direction_norm_ - rounding_of_kernel * (norm * direction_sum_ + direction_base_sum_);
  const double explained = along > 0.0 ? along * along * (1.0 - rounding_of_kernel) : 0.0;
  const double width = std::sqrt(std::max(prior - explained, 0.0));
  return mean + radius_ * width + kDoubleRounding * (std::fabs(mean) + radius_ * width);
}

void DualBounds::bound_rows(CsrView documents, RowBlock rows, std::span<double> bounds) const {
  assert(bounds.size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SparseRow row = documents.row(rows.first + static_cast<DocumentId>(i));
    bounds[i] = radius_ == 0.0 ? bound_of_mean(row) : bound_of_score(row);
  }
}

}  // namespace inkling
