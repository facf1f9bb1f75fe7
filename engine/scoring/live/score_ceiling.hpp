// Many documents as one: what none of them can score above.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/scoring/live/packed_standing.hpp"
#include "engine/scoring/live/restricted_score.hpp"

namespace inkling {

/// Lines over the bounds of documents: one for each step of widths, through the highest of their bounds at the ceiling's own
/// reach. Nearer than that it falls as slowly as the narrowest width of the step would, beyond it rises as fast as the widest.
class ScoreCeiling {
 public:
  /// Over no document yet, at this reach.
  explicit ScoreCeiling(double reach = 0.0) noexcept : reach_(reach), highest_(none()) {}

  /// Requires: a width that is a float.
  void include(const Standing& standing) noexcept {
    include(standing.at_most(reach_), WidthSteps::of(static_cast<float>(standing.width)));
  }
  /// The same of a bound at the ceiling's reach. One that is no number, or minus infinity, changes nothing.
  void include(double bound, std::int32_t width_step) noexcept {
    // A branch, which is hardly ever taken: a store each time would be waited for by the next load.
    double& highest = highest_[static_cast<std::size_t>(width_step)];
    if (bound > highest) highest = bound;
  }
  /// Requires: of the same reach.
  void include(const ScoreCeiling& other) noexcept {
    for (std::size_t n = 0; n < highest_.size(); ++n) highest_[n] = std::max(highest_[n], other.highest_[n]);
  }

  /// Minus infinity where there is no document.
  [[nodiscard]] double at_most(double reach) const noexcept {
    const double further = reach - reach_;
    double most = kNone;
    for (std::int32_t step = 0; step < WidthSteps::kCount; ++step) {
      const double highest = highest_[static_cast<std::size_t>(step)];
      if (highest == kNone) continue;
      const double width = further > 0.0 ? WidthSteps::widest(step) : WidthSteps::narrowest(step);
      most = std::max(most, highest + width * further);
    }
    return most;
  }

 private:
  static constexpr double kNone = -std::numeric_limits<double>::infinity();

  using ByStep = std::array<double, WidthSteps::kCount>;

  [[nodiscard]] static constexpr ByStep none() noexcept {
    ByStep highest{};
    highest.fill(kNone);
    return highest;
  }

  double reach_;
  ByStep highest_;
};

}  // namespace inkling
