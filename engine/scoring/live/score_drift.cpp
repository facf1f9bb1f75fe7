#include "engine/scoring/live/score_drift.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace inkling {
namespace {

/// Many times what rounding makes of a reach, and of a square that was once as large as it ever was.
constexpr double kMargin = 1.0 + 1e-9;
constexpr double kSquareMargin = 1e-11;

}  // namespace

void ScoreDrift::restart(std::size_t features) {
  delta_.assign(features, 0.0);
  delta_square_ = 0.0;
  largest_square_ = 0.0;
  births_ = 0.0;
  growth_ = 1.0;
}

void ScoreDrift::follow_reward(std::span<const RelevantEntry> x, const RankOneChange& change) {
  assert(change.direction.size() == delta_.size());
  double before = 0.0;
  for (const RelevantEntry& entry : x) {
    before += static_cast<double>(entry.value) * delta_[static_cast<std::size_t>(entry.position)];
  }
  const double gain = change.mean_gain;
  const double after = before + gain * change.leverage;
  delta_square_ = std::max(0.0, delta_square_ + gain * (before + after) + after * after);
  largest_square_ = std::max(largest_square_, delta_square_);
  for (std::size_t a = 0; a < delta_.size(); ++a) delta_[a] += gain * change.direction[a];
}

void ScoreDrift::follow_birth(const RankOneChange& change) {
  assert(change.direction.size() == delta_.size() + 1);
  delta_.push_back(0.0);
  births_ += std::fabs(change.mean_gain) * std::sqrt(change.leverage);
  growth_ *= std::sqrt(1.0 + change.leverage * change.square_gain);
}

double ScoreDrift::reward_drift() const noexcept {
  return std::sqrt(delta_square_ + kSquareMargin * largest_square_);
}

double ScoreDrift::reach(double radius) const noexcept { return growth_ * (radius + drift()) * kMargin; }

}  // namespace inkling
