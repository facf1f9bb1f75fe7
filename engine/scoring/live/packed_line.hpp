// The bound on a document's score, a line in the reach, in eight bytes: there is one for every document of the pool.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "engine/scoring/live/restricted_score.hpp"

namespace inkling {

/// The lowest float in place of minus infinity. It compares bits, because compilers vectorise comparisons of floats only with a
/// flag that promises no traps.
[[nodiscard]] inline float not_below_all(float value) noexcept {
  constexpr auto below_all = std::bit_cast<std::int32_t>(-std::numeric_limits<float>::infinity());
  const auto bits = std::bit_cast<std::int32_t>(value);
  return std::bit_cast<float>(bits - (bits == below_all ? 1 : 0));
}

/// The value rounded up to a float, or slightly more. Not less than the lowest float.
[[nodiscard]] inline float rounded_up(double value) noexcept {
  // 2^-23, or the smallest normal float, compensates for two roundings of half a unit each.
  constexpr double unit = std::numeric_limits<float>::epsilon();
  constexpr double smallest = std::numeric_limits<float>::min();
  return not_below_all(static_cast<float>(value + std::fabs(value) * unit + smallest));
}

/// The value rounded down to a float, or slightly less.
[[nodiscard]] inline float rounded_down(double value) noexcept { return -rounded_up(-value); }

/// Widths of about the same size share a step: four steps for each power of two from 2^-16 to 2^16. Narrower ones share the
/// first step, and wider ones the last.
struct WidthSteps {
  static constexpr std::int32_t kCount = 128;

  /// Requires: not below 0.
  [[nodiscard]] static std::int32_t of(float width) noexcept {
    const std::int32_t step = (std::bit_cast<std::int32_t>(width) >> kShift) - kFirst;
    return std::clamp(step, 0, kCount - 1);
  }
  /// No width of the step is below this.
  [[nodiscard]] static double narrowest(std::int32_t step) noexcept { return step == 0 ? 0.0 : begin_of(step); }
  /// No width of the step is above this.
  [[nodiscard]] static double widest(std::int32_t step) noexcept {
    return step == kCount - 1 ? static_cast<double>(std::numeric_limits<float>::max()) : begin_of(step + 1);
  }

 private:
  // A step is the exponent of a float with the first two bits after its point.
  static constexpr std::int32_t kShift = 23 - 2;
  static constexpr std::int32_t kFirst = (127 - 16) * 4;

  [[nodiscard]] static double begin_of(std::int32_t step) noexcept {
    return static_cast<double>(std::bit_cast<float>((kFirst + step) << kShift));
  }
};

/// A ReachLine, rounded up. The sign of the width is that of candidates.
class PackedLine {
 public:
  /// The line of a document that holds no relevant feature.
  PackedLine() = default;
  /// The line of a document that is no candidate.
  explicit PackedLine(const ReachLine& line) noexcept : mean_(rounded_up(line.mean)), width_(rounded_up(line.width)) {}

  /// The line of a document that is never chosen again.
  [[nodiscard]] static PackedLine retired() noexcept {
    PackedLine line;
    line.mean_ = kRetired;
    return line;
  }

  [[nodiscard]] double mean() const noexcept { return static_cast<double>(mean_); }
  [[nodiscard]] double width() const noexcept { return static_cast<double>(std::fabs(width_)); }
  [[nodiscard]] ReachLine line() const noexcept { return {mean(), width()}; }
  [[nodiscard]] bool is_retired() const noexcept {
    return std::bit_cast<std::int32_t>(mean_) == std::bit_cast<std::int32_t>(kRetired);
  }
  /// Whether the document is neither bare nor retired.
  [[nodiscard]] bool counts() const noexcept { return width_ != 0.0F; }
  [[nodiscard]] bool is_listed() const noexcept { return width_ < 0.0F; }
  /// Rounds up, as everything in the line is rounded up.
  void set_mean(double mean) noexcept { mean_ = rounded_up(mean); }
  void set_listed(bool listed) noexcept { width_ = listed ? -std::fabs(width_) : std::fabs(width_); }

  // Functions for many lines at once, without branches. Rounding up compensates for the rounding inside these loops.

  /// This many lines are bounded together.
  static constexpr std::size_t kTogether = 16;

  /// What kTogether documents may score at a reach, by place.
  struct Bounds {
    /// NaN if the document does not count, so that every comparison is false.
    std::array<float, kTogether> most{};
    std::array<std::int32_t, kTogether> width_step{};  ///< as WidthSteps has it
  };
  /// Returns the largest |mean| + reach * width of them. Requires: at most kTogether.
  [[nodiscard]] static double bound_all(std::span<const PackedLine> lines, double reach, Bounds& bounds) noexcept {
    assert(lines.size() <= kTogether);
    const float reached = rounded_up(reach);
    // Floats that are not negative have the order of their bits, and compilers vectorise the maximum of integers.
    std::int32_t largest = 0;
    const auto bound_first = [&](std::size_t count) {
      for (std::size_t n = 0; n < count; ++n) {
        const float mean = lines[n].mean_;
        const float spread = reached * std::fabs(lines[n].width_);
        const float size = std::fabs(mean) + spread;
        const float bound = mean + spread + (size * kUnits + kSmallest);
        const std::int32_t mask = lines[n].mask_of_width();
        bounds.most[n] = std::bit_cast<float>(std::bit_cast<std::int32_t>(bound) | ~mask);
        bounds.width_step[n] = WidthSteps::of(std::fabs(lines[n].width_));
        largest = std::max(largest, std::bit_cast<std::int32_t>(size) & mask);
      }
    };
    // Nearly always there are kTogether of them, a number that the compiler knows.
    if (lines.size() == kTogether)
      bound_first(kTogether);
    else
      bound_first(lines.size());
    // The bits of NaN come after those of infinity.
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return largest > std::bit_cast<std::int32_t>(-kRetired) ? infinity : static_cast<double>(std::bit_cast<float>(largest));
  }

  /// Adds value * change to each mean that counts. Requires: as many values as lines.
  static void add_to_means(std::span<PackedLine> lines, std::span<const float> values, double change) noexcept {
    assert(lines.size() == values.size());
    const auto rounded = static_cast<float>(change);
    for (std::size_t n = 0; n < lines.size(); ++n) {
      const float before = lines[n].mean_;
      const float product = values[n] * rounded;
      const float sum = not_below_all(before + product);
      const float after = sum + ((std::fabs(product) + std::fabs(sum)) * kUnits + kSmallest);
      lines[n].mean_ = chosen(lines[n].mask_of_width(), after, before);
    }
  }

  /// Each line that is not retired becomes update(line, value), and is no candidate afterwards. Requires: as many values as
  /// lines.
  template <typename Update>
  static void update_all(std::span<PackedLine> lines, std::span<const float> values, const Update& update) noexcept {
    for (std::size_t n = 0; n < lines.size(); ++n) {
      const float mean = lines[n].mean_;
      const float width = lines[n].width_;
      const ReachLine before = {static_cast<double>(mean), static_cast<double>(std::fabs(width))};
      const ReachLine after = update(before, static_cast<double>(values[n]));
      const std::int32_t mask = lines[n].is_retired() ? 0 : -1;
      lines[n].mean_ = chosen(mask, rounded_up(after.mean), mean);
      lines[n].width_ = chosen(mask, rounded_up(after.width), width);
    }
  }

 private:
  static constexpr float kRetired = -std::numeric_limits<float>::infinity();
  // Each loop rounds at most four times, by half a unit of the last place of what it adds up.
  static constexpr float kUnits = 2.0F * std::numeric_limits<float>::epsilon();
  static constexpr float kSmallest = std::numeric_limits<float>::min();

  /// All ones where there is a width, all zeros where there is none.
  [[nodiscard]] std::int32_t mask_of_width() const noexcept {
    return std::bit_cast<std::int32_t>(std::fabs(width_)) != 0 ? -1 : 0;
  }
  /// The first where the mask is all ones, the second where it is all zeros.
  [[nodiscard]] static float chosen(std::int32_t mask, float first, float second) noexcept {
    return std::bit_cast<float>((std::bit_cast<std::int32_t>(first) & mask) | (std::bit_cast<std::int32_t>(second) & ~mask));
  }

  float mean_ = 0.0F;
  float width_ = 0.0F;
};
static_assert(sizeof(PackedLine) == 8);

}  // namespace inkling
