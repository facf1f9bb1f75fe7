// A document's standing in eight bytes: there is one for every document of the pool.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/scoring/live/restricted_score.hpp"

namespace inkling {

/// At least the value, and no more than rounding to a float above it. Not less than the lowest float.
[[nodiscard]] inline float rounded_up(double value) noexcept {
  // Two roundings to nearest of half a unit each are made up for by 2^-23, or by the smallest float that has all its bits.
  constexpr double unit = std::numeric_limits<float>::epsilon();
  constexpr double smallest = std::numeric_limits<float>::min();
  constexpr double lowest = std::numeric_limits<float>::lowest();
  return static_cast<float>(std::max(value + std::fabs(value) * unit + smallest, lowest));
}

/// A bound of the same form as the standing that it was made of, rounded up; and whether the document is a candidate,
/// which is the sign of its width.
class PackedStanding {
 public:
  /// Of a document that holds no relevant feature.
  PackedStanding() = default;
  /// Of one that is no candidate.
  explicit PackedStanding(const Standing& standing) noexcept
      : mean_(rounded_up(standing.mean)), width_(rounded_up(standing.width)) {}

  /// Of a document that is out of the game.
  [[nodiscard]] static PackedStanding retired() noexcept {
    PackedStanding standing;
    standing.mean_ = -std::numeric_limits<float>::infinity();
    return standing;
  }

  [[nodiscard]] double mean() const noexcept { return static_cast<double>(mean_); }
  [[nodiscard]] double width() const noexcept { return static_cast<double>(std::fabs(width_)); }
  [[nodiscard]] Standing standing() const noexcept { return {mean(), width()}; }
  [[nodiscard]] bool is_retired() const noexcept { return mean_ == -std::numeric_limits<float>::infinity(); }
  /// Neither bare nor retired.
  [[nodiscard]] bool counts() const noexcept { return width_ != 0.0F; }
  [[nodiscard]] bool is_listed() const noexcept { return width_ < 0.0F; }
  /// The same but for its mean.
  [[nodiscard]] PackedStanding with_mean(double mean) const noexcept {
    PackedStanding standing = *this;
    standing.mean_ = rounded_up(mean);
    return standing;
  }
  void set_listed(bool listed) noexcept { width_ = listed ? -std::fabs(width_) : std::fabs(width_); }

 private:
  float mean_ = 0.0F;
  float width_ = 0.0F;
};
static_assert(sizeof(PackedStanding) == 8);

}  // namespace inkling
