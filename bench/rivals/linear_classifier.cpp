#include "bench/rivals/linear_classifier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/core/portable_math.hpp"

namespace inkling::bench {
namespace {

constexpr std::size_t kNoColumn = std::numeric_limits<std::size_t>::max();

/// More steps than any fit has needed; they end a fit where rounding keeps the slope above what is allowed.
constexpr int kMostNewtonSteps = 200;
constexpr int kMostInnerSteps = 250;

/// The loss and its first two derivatives at a margin.
struct LossAt {
  double value;
  double slope;
  double curvature;
};

LossAt logistic_loss(double margin) noexcept {
  const double small = exponential(-std::fabs(margin));  // e^-|z|, which cannot overflow
  const double wrong = margin > 0.0 ? small / (1.0 + small) : 1.0 / (1.0 + small);
  return {std::max(0.0, -margin) + natural_log_plus_one(small), -wrong, wrong * (1.0 - wrong)};
}

LossAt squared_hinge_loss(double margin) noexcept {
  const double missing = 1.0 - margin;
  if (missing <= 0.0) return {0.0, 0.0, 0.0};
  return {missing * missing, -2.0 * missing, 2.0};
}

LossAt loss_at(ClassifierLoss loss, double margin) noexcept {
  return loss == ClassifierLoss::logistic ? logistic_loss(margin) : squared_hinge_loss(margin);
}

double inner(std::span<const double> left, std::span<const double> right) noexcept {
  return std::inner_product(left.begin(), left.end(), right.begin(), 0.0);
}

/// target += length * direction
void add_scaled(std::span<double> target, double length, std::span<const double> direction) noexcept {
  for (std::size_t n = 0; n < target.size(); ++n) target[n] += length * direction[n];
}

}  // namespace

LinearClassifier::LinearClassifier(std::int32_t features, const ClassifierOptions& options)
    : options_(options),
      weights_(static_cast<std::size_t>(features), 0.0),
      column_of_(static_cast<std::size_t>(features), kNoColumn) {}

void LinearClassifier::fit(std::span<const ClassifierExample> examples) {
  gather(examples);
  multiply(theta_, margins_);
  const double allowed = allowed_slope();
  for (int step = 0; step < kMostNewtonSteps; ++step) {
    const double slope = take_slope();
    if (slope <= allowed) break;
    find_step(slope);
    if (!walk()) break;
  }
  give_back();
}

/// The weights of features that no example holds are 0 at the minimum, so only the others have a column.
void LinearClassifier::gather(std::span<const ClassifierExample> examples) {
  features_.clear();
  entries_.clear();
  costs_.clear();
  begins_.assign(1, 0);
  for (const ClassifierExample& example : examples) append(example);
  const std::size_t columns = features_.size() + 1;
  for (Entry& entry : entries_)
    if (entry.column == kNoColumn) entry.column = columns - 1;
  theta_.assign(columns, constant_);
  for (std::size_t column = 0; column < features_.size(); ++column)
    theta_[column] = weights_[static_cast<std::size_t>(features_[column])];
  for (std::vector<double>* by_example : {&margins_, &advance_, &shares_, &curvatures_}) by_example->assign(costs_.size(), 0.0);
  for (std::vector<double>* by_column : {&slope_, &diagonal_, &step_, &residual_, &direction_, &product_})
    by_column->assign(columns, 0.0);
}

void LinearClassifier::append(const ClassifierExample& example) {
  for (std::size_t n = 0; n < example.row.size(); ++n) {
    std::size_t& column = column_of_[static_cast<std::size_t>(example.row.features[n])];
    if (column == kNoColumn) {
      column = features_.size();
      features_.push_back(example.row.features[n]);
    }
    entries_.push_back({column, example.side * static_cast<double>(example.row.values[n])});
  }
  if (example.constant != 0.0) entries_.push_back({kNoColumn, example.side * example.constant});
  begins_.push_back(entries_.size());
  costs_.push_back(example.cost);
}

void LinearClassifier::give_back() {
  std::ranges::fill(weights_, 0.0);
  for (std::size_t column = 0; column < features_.size(); ++column) {
    const auto feature = static_cast<std::size_t>(features_[column]);
    weights_[feature] = theta_[column];
    column_of_[feature] = kNoColumn;
  }
  constant_ = theta_.back();
}

void LinearClassifier::multiply(std::span<const double> direction, std::span<double> products) const {
  for (std::size_t i = 0; i < products.size(); ++i) {
    double sum = 0.0;
    for (const Entry& entry : row(i)) sum += entry.value * direction[entry.column];
    products[i] = sum;
  }
}

void LinearClassifier::add_rows(std::span<const double> shares, std::span<double> sum) const {
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] == 0.0) continue;
    for (const Entry& entry : row(i)) sum[entry.column] += shares[i] * entry.value;
  }
}

/// If all weights are 0, each example adds to the slope its cost times its length times the slope of its loss. The sum of the
/// sizes of these terms bounds the slope.
double LinearClassifier::allowed_slope() const noexcept {
  const double slope_at_zero = std::fabs(loss_at(options_.loss, 0.0).slope);
  double most = 0.0;
  for (std::size_t i = 0; i < costs_.size(); ++i) {
    double square = 0.0;
    for (const Entry& entry : row(i)) square += entry.value * entry.value;
    most += costs_[i] * slope_at_zero * std::sqrt(square);
  }
  return options_.accuracy * most;
}

/// The slope of the objective and the curvatures of the losses, at theta; returns the length of the slope.
double LinearClassifier::take_slope() {
  for (std::size_t i = 0; i < margins_.size(); ++i) {
    const LossAt loss = loss_at(options_.loss, margins_[i]);
    shares_[i] = costs_[i] * loss.slope;
    curvatures_[i] = costs_[i] * loss.curvature;
  }
  slope_ = theta_;
  add_rows(shares_, slope_);
  return std::sqrt(inner(slope_, slope_));
}

/// Conjugate gradients on (I + sum curvature x x') step = -slope, with the diagonal of that matrix as
/// preconditioner, until little of the slope is left: a tenth, and less where the slope is small, so that
/// Newton's steps shrink ever faster.
void LinearClassifier::find_step(double slope) {
  take_diagonal();
  std::ranges::fill(step_, 0.0);
  for (std::size_t column = 0; column < slope_.size(); ++column) {
    residual_[column] = -slope_[column];
    direction_[column] = residual_[column] / diagonal_[column];
  }
  double left = inner(residual_, direction_);
  const double target = left * std::min(0.01, slope);
  for (int n = 0; n < kMostInnerSteps && left > target; ++n) {
    multiply(direction_, shares_);
    for (std::size_t i = 0; i < shares_.size(); ++i) shares_[i] *= curvatures_[i];
    product_ = direction_;
    add_rows(shares_, product_);
    const double length = left / inner(direction_, product_);
    add_scaled(step_, length, direction_);
    add_scaled(residual_, -length, product_);
    for (std::size_t column = 0; column < product_.size(); ++column) product_[column] = residual_[column] / diagonal_[column];
    const double left_now = inner(residual_, product_);
    for (std::size_t column = 0; column < direction_.size(); ++column)
      direction_[column] = product_[column] + left_now / left * direction_[column];
    left = left_now;
  }
}

void LinearClassifier::take_diagonal() {
  std::ranges::fill(diagonal_, 1.0);
  for (std::size_t i = 0; i < curvatures_.size(); ++i)
    for (const Entry& entry : row(i)) diagonal_[entry.column] += curvatures_[i] * entry.value * entry.value;
}

/// Goes along the step to where the objective is lower and has little slope left along it; returns whether
/// there is a way down at all. The slope along a line never falls, as the objective is convex, so halving
/// finds such a place.
bool LinearClassifier::walk() {
  multiply(step_, advance_);
  const OnTheWay start = along_step(0.0);
  if (!(start.slope < 0.0)) return false;
  const double length = way_down(start);
  add_scaled(theta_, length, step_);
  add_scaled(margins_, length, advance_);
  return length > 0.0;
}

double LinearClassifier::way_down(const OnTheWay& start) const noexcept {
  constexpr int most_halvings = 100;
  double low = 0.0;
  double high = std::numeric_limits<double>::infinity();
  double length = 1.0;
  for (int n = 0; n < most_halvings; ++n) {
    const OnTheWay here = along_step(length);
    const bool is_lower = here.slope <= 0.0 || here.objective < start.objective;
    if (is_lower && std::fabs(here.slope) <= 0.1 * std::fabs(start.slope)) return length;
    (here.slope > 0.0 ? high : low) = length;
    length = std::isinf(high) ? 2.0 * length : low + 0.5 * (high - low);
  }
  return low;
}

/// The objective (less |theta|^2 / 2, a constant) and its slope after this length of the step.
LinearClassifier::OnTheWay LinearClassifier::along_step(double length) const noexcept {
  const double tilt = inner(theta_, step_);
  const double square = inner(step_, step_);
  OnTheWay there{length * tilt + 0.5 * length * length * square, tilt + length * square};
  for (std::size_t i = 0; i < margins_.size(); ++i) {
    const LossAt loss = loss_at(options_.loss, margins_[i] + length * advance_[i]);
    there.objective += costs_[i] * loss.value;
    there.slope += costs_[i] * loss.slope * advance_[i];
  }
  return there;
}

}  // namespace inkling::bench
