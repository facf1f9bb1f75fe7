// One axis of a terminal chart: what range it covers, where a value stands on it, and which ticks it shows.
#pragma once

#include <string>
#include <vector>

#include "bench/report/line_chart.hpp"

namespace inkling {

struct Tick {
  double value;
  std::string label;
};

/// Invariants: low() < high(), both finite.
class Axis {
 public:
  /// Covers low to high; a range that is empty or not finite becomes one that can be drawn.
  Axis(double low, double high);

  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }

  /// 0 at low(), 1 at high(). Requires: a finite value.
  [[nodiscard]] double position(double value) const { return (value - low_) / (high_ - low_); }

  /// Round values within the range, at most about `most` of them, in rising order.
  [[nodiscard]] std::vector<Tick> ticks(int most) const;

  /// The same axis, its ends moved outward to the ticks that it would show next.
  [[nodiscard]] Axis widened(int most) const;

 private:
  double low_;
  double high_;
};

/// The axes that show every point of the chart and every band; 0 is included where it is near.
[[nodiscard]] Axis x_axis_of(const LineChart& chart);
[[nodiscard]] Axis y_axis_of(const LineChart& chart);

/// The least of 1, 2 or 5 times a power of ten that divides the length into at most that many steps.
/// Requires: length > 0, most >= 1.
[[nodiscard]] double nice_step(double length, int most);

}  // namespace inkling
