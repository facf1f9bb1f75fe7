// Many documents as one: what none of them can score above, and where to cut a list of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "engine/scoring/live/restricted_score.hpp"

namespace inkling {

/// A line over the bounds of documents, at any reach from a given one on.
class ScoreCeiling {
 public:
  ScoreCeiling() = default;
  /// Over no document yet; bounds to come are meant at this reach.
  explicit ScoreCeiling(double reach) noexcept : reach_(reach), least_reach_(reach) {}

  void include(double bound, double width) noexcept {
    highest_ = std::max(highest_, bound);
    widest_ = std::max(widest_, width);
  }
  /// Requires: of the same reach.
  void include(const ScoreCeiling& other) noexcept { include(other.highest_, other.widest_); }

  /// Minus infinity where there is no document.
  [[nodiscard]] double at_most(double reach) const noexcept {
    return highest_ + widest_ * (std::max(reach, least_reach_) - reach_);
  }

  /// Whether the document is below it, as it is, from this reach on. If so, the ceiling covers it from now on: also where
  /// the reach becomes shorter again, because then it stays as high as at this one.
  [[nodiscard]] bool cover(const Standing& standing, double reach) noexcept {
    const double from = std::max(reach, least_reach_);
    if (standing.width > widest_ || standing.at_most(from) > at_most(from)) return false;
    least_reach_ = from;
    return true;
  }

 private:
  double reach_ = 0.0;
  double least_reach_ = 0.0;  // the ceiling is no lower than at this one
  double highest_ = -std::numeric_limits<double>::infinity();
  double widest_ = 0.0;
};

/// A sample of bounds: enough to cut a list of thousands to a few hundred, where a few more or fewer do not
/// matter.
class BoundSample {
 public:
  /// One of how many bounds each that is considered stands for. Requires: at least 1.
  explicit BoundSample(std::size_t each) noexcept : each_(each) {}

  void consider(double bound) { sample_.push_back(bound); }

  /// Reached by about `wanted` of the bounds; by every one where there are not many more.
  [[nodiscard]] double threshold(std::size_t wanted) {
    const std::size_t all = each_ * sample_.size();
    if (all <= wanted + wanted / 2 || sample_.empty()) return -std::numeric_limits<double>::infinity();
    const auto rank = static_cast<std::size_t>(static_cast<double>(sample_.size()) *
                                               static_cast<double>(wanted) / static_cast<double>(all));
    const auto place = sample_.begin() + static_cast<std::ptrdiff_t>(std::min(rank, sample_.size() - 1));
    std::ranges::nth_element(sample_, place, std::greater());
    return *place;
  }

 private:
  std::size_t each_;
  std::vector<double> sample_;
};

}  // namespace inkling
