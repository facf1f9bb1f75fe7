// Many documents as one: what none of them can score above.
#pragma once

#include <algorithm>
#include <limits>

#include "engine/scoring/live/restricted_score.hpp"

namespace inkling {

/// A line over the bounds of documents, at any reach from a given one on.
class ScoreCeiling {
 public:
  ScoreCeiling() = default;
  /// Over no document yet; bounds to come are meant at this reach.
  explicit ScoreCeiling(double reach) noexcept : reach_(reach) {}

  void include(double bound, double width) noexcept {
    highest_ = std::max(highest_, bound);
    widest_ = std::max(widest_, width);
  }
  /// Requires: of the same reach.
  void include(const ScoreCeiling& other) noexcept { include(other.highest_, other.widest_); }

  /// Minus infinity where there is no document.
  [[nodiscard]] double at_most(double reach) const noexcept {
    return highest_ + widest_ * std::max(0.0, reach - reach_);
  }

  /// Whether it stays a ceiling, as it is, with this document too, from this reach on.
  [[nodiscard]] bool covers(const Standing& standing, double reach) const noexcept {
    return standing.width <= widest_ && standing.at_most(reach) <= at_most(reach);
  }

 private:
  double reach_ = 0.0;
  double highest_ = -std::numeric_limits<double>::infinity();
  double widest_ = 0.0;
};

}  // namespace inkling
