#include "engine/scoring/live/score_drift.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "engine/model/ridge_model.hpp"

namespace inkling {
namespace {

/// A margin far above the rounding of a square, relative to the largest value that the square ever had.
constexpr double kSquareMargin = 1e-11;

/// Rounds of coordinate descent over the multipliers.
constexpr int kRelaxingRounds = 4;

/// to += weight * from. Written so that the compiler may take several entries at once.
void add_scaled(std::span<double> to, double weight, std::span<const double> from) {
  if (weight == 0.0) return;
  double* __restrict target = to.data();
  const double* __restrict source = from.data();
  for (std::size_t a = 0; a < to.size(); ++a) target[a] += weight * source[a];
}

}  // namespace

void ScoreDrift::restart(std::size_t features) {
  lag_.resize(features);
  delta_.resize(features);
  growth_ = 1.0;
  restart_weights();
}

void ScoreDrift::restart_weights() {
  std::ranges::fill(lag_, 0.0);
  std::ranges::fill(delta_, 0.0);
  set_square(0.0, 0.0);
}

void ScoreDrift::reference_weights(std::span<const double> theta, std::vector<double>& weights) const {
  assert(theta.size() == lag_.size());
  weights.resize(theta.size());
  for (std::size_t a = 0; a < theta.size(); ++a) weights[a] = theta[a] - lag_[a];
}

void ScoreDrift::add_to_weights(double gain, std::span<const double> direction) {
  for (std::size_t a = 0; a < delta_.size(); ++a) {
    const double change = gain * direction[a];
    lag_[a] += change;
    delta_[a] += change;
  }
}

void ScoreDrift::follow_reward(std::span<const RelevantEntry> x, const RankOneChange& change) {
  assert(change.direction.size() == delta_.size());
  const double before = product(delta_, x);
  const double gain = change.mean_gain;
  const double after = before + gain * change.leverage;
  delta_square_ = std::max(0.0, delta_square_ + gain * (before + after) + after * after);
  largest_square_ = std::max(largest_square_, delta_square_);
  add_to_weights(gain, change.direction);
}

ScoreDrift::Birth ScoreDrift::follow_birth(const RankOneChange& change, const CholeskyFactor& factor) {
  assert(change.direction.size() == delta_.size() + 1);
  add_to_weights(change.mean_gain, change.direction);
  lag_.push_back(0.0);
  delta_.push_back(0.0);
  measure(factor);
  const double growth_before = growth_;
  growth_ *= std::sqrt(1.0 + change.leverage * change.square_gain);
  return Birth(change, growth_before, growth_);
}

void ScoreDrift::relax(const RidgeModel& model, std::span<const std::uint8_t> may_fall) {
  assert(may_fall.size() == lag_.size());
  const KeptInverse& inverse = model.kept_inverse();
  delta_ = lag_;
  measure(model.factor());
  const double drift_of_lag = drift();

  pulls_.resize(lag_.size());
  reached_.assign(lag_.size(), 0.0);
  for (std::size_t a = 0; a < lag_.size(); ++a) {
    pulls_[a] = may_fall[a] != 0 ? std::max(0.0, product_[a]) : product_[a];
    add_scaled(reached_, pulls_[a], inverse.row(a));
  }
  for (int round = 0; round < kRelaxingRounds; ++round) {
    for (std::size_t a = 0; a < lag_.size(); ++a) {
      const std::span<const double> row = inverse.row(a);
      const double wanted = pulls_[a] + (lag_[a] - reached_[a]) / row[a];
      const double pull = may_fall[a] != 0 ? std::max(0.0, wanted) : wanted;
      add_scaled(reached_, pull - std::exchange(pulls_[a], pull), row);
    }
  }
  for (std::size_t a = 0; a < lag_.size(); ++a)
    if (may_fall[a] != 0) delta_[a] = std::max(lag_[a], reached_[a]);
  measure(model.factor());
  if (drift() < drift_of_lag) return;
  delta_ = lag_;
  measure(model.factor());
}

std::optional<std::size_t> ScoreDrift::worth_settling(const std::function<double(std::size_t)>& cost) const {
  std::optional<std::size_t> best;
  double most = 0.0;
  for (std::size_t a = 0; a < delta_.size(); ++a) {
    if (lag_[a] != delta_[a]) continue;  // its lag does not bind, so it does not matter
    const double fall = delta_[a] * (2.0 * product_[a] - delta_[a] * diagonal_[a]);
    const double worth = fall / cost(a);
    if (!(worth > most)) continue;
    most = worth;
    best = a;
  }
  return best;
}

double ScoreDrift::settle(std::size_t position) {
  delta_[position] = 0.0;
  return std::exchange(lag_[position], 0.0);
}

/// |delta|_V^2 from delta. The difference between V and its factor, and sums of both signs, round it by a small part of
/// (sum |delta_a| V_aa^1/2)^2, which the sum of the sizes of its terms does not exceed.
void ScoreDrift::measure(const CholeskyFactor& factor) {
  product_.resize(delta_.size());
  diagonal_.resize(delta_.size());
  factor.multiply(delta_, product_);
  factor.diagonal(diagonal_);
  double square = 0.0;
  double sizes = 0.0;
  for (std::size_t a = 0; a < delta_.size(); ++a) {
    square += delta_[a] * product_[a];
    sizes += std::fabs(delta_[a]) * std::sqrt(diagonal_[a]);
  }
  set_square(square, kSquareMargin * sizes * sizes);
}

void ScoreDrift::set_square(double square, double rounding) {
  delta_square_ = std::max(0.0, square);
  largest_square_ = delta_square_;
  rounding_ = rounding;
}

double ScoreDrift::drift() const noexcept { return std::sqrt(delta_square_ + kSquareMargin * largest_square_ + rounding_); }

double ScoreDrift::reach(double radius) const noexcept { return growth_ * (radius + drift()) * kMargin; }

}  // namespace inkling
