// Many documents as one: what none of them can score above.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/scoring/live/restricted_score.hpp"

namespace inkling {

/// Lines over the bounds of documents: one for all widths between two powers of two, through the highest of their bounds at
/// the ceiling's own reach. Nearer than that it falls as slowly as the narrowest of these bounds, beyond it rises as fast
/// as the widest.
class ScoreCeiling {
 public:
  ScoreCeiling() = default;
  /// Over no document yet.
  explicit ScoreCeiling(double reach) noexcept : reach_(reach) {}

  void include(const Standing& standing) noexcept { include(standing.at_most(reach_), standing.width); }
  /// The same of a bound at the ceiling's reach. A bound of minus infinity with a width of 0 changes nothing.
  void include(double bound, double width) noexcept {
    // Branches, which are hardly ever taken: a store each time would be waited for by the next load.
    Line& line = lines_[line_of(static_cast<float>(width))];
    if (bound > line.highest) line.highest = bound;
    if (width > line.widest) line.widest = width;
    if (width < line.narrowest) line.narrowest = width;
  }
  /// Requires: of the same reach.
  void include(const ScoreCeiling& other) noexcept {
    for (std::size_t n = 0; n < kLines; ++n) {
      Line& line = lines_[n];
      line.highest = std::max(line.highest, other.lines_[n].highest);
      line.widest = std::max(line.widest, other.lines_[n].widest);
      line.narrowest = std::min(line.narrowest, other.lines_[n].narrowest);
    }
  }

  /// Minus infinity where there is no document.
  [[nodiscard]] double at_most(double reach) const noexcept {
    const double further = reach - reach_;
    double most = kNone;
    for (const Line& line : lines_) {
      if (line.highest == kNone) continue;
      most = std::max(most, line.highest + (further > 0.0 ? line.widest : line.narrowest) * further);
    }
    return most;
  }

 private:
  static constexpr double kNone = -std::numeric_limits<double>::infinity();
  static constexpr std::size_t kLines = 24;
  // Widths from 2^-16 on have lines of their own; these are exponents as a float has them.
  static constexpr std::uint32_t kFirstExponent = 127 - 16;
  static constexpr std::uint32_t kExponentShift = 23;

  struct Line {
    double highest = kNone;
    double widest = 0.0;
    double narrowest = std::numeric_limits<double>::max();
  };

  [[nodiscard]] static std::size_t line_of(float width) noexcept {
    const std::uint32_t exponent = std::bit_cast<std::uint32_t>(width) >> kExponentShift;
    return std::min<std::size_t>(std::max(exponent, kFirstExponent) - kFirstExponent, kLines - 1);
  }

  double reach_ = 0.0;
  std::array<Line, kLines> lines_;
};

}  // namespace inkling
