// One bound on the scores of many documents.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/scoring/live/packed_line.hpp"

namespace inkling {

/// For each step of widths, a line above the bounds of its documents as functions of the reach. It goes through the
/// highest of these bounds at the ceiling's own reach. Below that reach its slope is the narrowest width of the step,
/// above it the widest.
class ScoreCeiling {
 public:
  /// A ceiling over no document yet, at this reach.
  explicit ScoreCeiling(double reach = 0.0) noexcept : reach_(reach), highest_(none()) {}

  /// Raises the ceiling over a document: its bound at the ceiling's reach, and the step of its width. A bound that is NaN or
  /// minus infinity changes nothing.
  void include(float bound, std::int32_t width_step) noexcept {
    // A branch that is hardly ever taken. If every call stored, the next load would have to wait for the store.
    float& highest = highest_[static_cast<std::size_t>(width_step)];
    if (!(bound > highest)) return;
    highest = bound;
    first_ = std::min(first_, width_step);
    last_ = std::max(last_, width_step);
  }
  /// Requires: of the same reach.
  void include(const ScoreCeiling& other) noexcept {
    for (std::size_t n = 0; n < highest_.size(); ++n) highest_[n] = std::max(highest_[n], other.highest_[n]);
    first_ = std::min(first_, other.first_);
    last_ = std::max(last_, other.last_);
  }

  /// Upper bound on all scores at this reach; minus infinity if there is no document.
  [[nodiscard]] double at_most(double reach) const noexcept {
    const double further = reach - reach_;
    double most = -std::numeric_limits<double>::infinity();
    for (std::int32_t step = first_; step <= last_; ++step) {
      const auto highest = static_cast<double>(highest_[static_cast<std::size_t>(step)]);
      if (highest == -std::numeric_limits<double>::infinity()) continue;
      const double width = further > 0.0 ? WidthSteps::widest(step) : WidthSteps::narrowest(step);
      most = std::max(most, highest + width * further);
    }
    return most;
  }

 private:
  using ByStep = std::array<float, WidthSteps::kCount>;

  [[nodiscard]] static constexpr ByStep none() noexcept {
    ByStep highest{};
    highest.fill(-std::numeric_limits<float>::infinity());
    return highest;
  }

  double reach_;
  ByStep highest_;
  std::int32_t first_ = WidthSteps::kCount;  // only steps from this one to the last have a bound
  std::int32_t last_ = -1;
};

}  // namespace inkling
