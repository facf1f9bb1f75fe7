#include "engine/scoring/live/score_drift.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace inkling {
namespace {

/// Many times what rounding makes of a square, as a part of the largest it ever was.
constexpr double kSquareMargin = 1e-11;

}  // namespace

void ScoreDrift::restart(std::size_t features) {
  delta_.assign(features, 0.0);
  set_square(0.0, 0.0);
  growth_ = 1.0;
}

void ScoreDrift::follow_reward(std::span<const RelevantEntry> x, const RankOneChange& change) {
  assert(change.direction.size() == delta_.size());
  const double before = product_with(x);
  const double gain = change.mean_gain;
  const double after = before + gain * change.leverage;
  delta_square_ = std::max(0.0, delta_square_ + gain * (before + after) + after * after);
  largest_square_ = std::max(largest_square_, delta_square_);
  for (std::size_t a = 0; a < delta_.size(); ++a) delta_[a] += gain * change.direction[a];
}

ScoreDrift::Birth ScoreDrift::follow_birth(const RankOneChange& change, const CholeskyFactor& factor) {
  assert(change.direction.size() == delta_.size() + 1);
  for (std::size_t a = 0; a < delta_.size(); ++a) delta_[a] += change.mean_gain * change.direction[a];
  delta_.push_back(0.0);
  measure(factor);
  const double growth_before = growth_;
  growth_ *= std::sqrt(1.0 + change.leverage * change.square_gain);
  return Birth(change, growth_before, growth_);
}

std::optional<ScoreDrift::Settled> ScoreDrift::settle(const CholeskyFactor& factor,
                                                      const std::function<double(std::size_t)>& cost) {
  measure(factor);
  std::optional<std::size_t> settled;
  double most = 0.0;
  for (std::size_t a = 0; a < delta_.size(); ++a) {
    const double fall = delta_[a] * (2.0 * product_[a] - delta_[a] * diagonal_[a]);
    const double worth = fall / cost(a);
    if (!(worth > most)) continue;
    most = worth;
    settled = a;
  }
  if (!settled) return std::nullopt;
  const double change = std::exchange(delta_[*settled], 0.0);
  measure(factor);
  return Settled{*settled, change};
}

/// |delta|_V^2 from delta. What V and its factor are apart by, and sums of both signs, round it by a small part of
/// (sum |delta_a| V_aa^1/2)^2, which no sum of its terms' sizes exceeds.
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

double ScoreDrift::drift() const noexcept {
  return std::sqrt(delta_square_ + kSquareMargin * largest_square_ + rounding_);
}

double ScoreDrift::reach(double radius) const noexcept { return growth_ * (radius + drift()) * kMargin; }

}  // namespace inkling
