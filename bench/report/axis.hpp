// One axis of a chart: what range it covers, where a value stands on it, and which ticks it shows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/report/line_chart.hpp"

namespace inkling {

struct Tick {
  double value;
  std::string label;
};

/// Invariants: low() < high(), both finite, and both positive on a logarithmic axis.
class Axis {
 public:
  /// Covers low to high; a range that is empty or not finite becomes one that can be drawn.
  Axis(double low, double high, AxisScale scale);

  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }

  /// Whether the value has a place: finite, and positive on a logarithmic axis.
  [[nodiscard]] bool shows(double value) const;

  /// 0 at low(), 1 at high(). Requires: shows(value).
  [[nodiscard]] double position(double value) const;

  /// Round values within the range, at most about `most` of them, in rising order.
  [[nodiscard]] std::vector<Tick> ticks(int most) const;

  /// The same axis, its ends moved outward to the ticks that it would show next.
  [[nodiscard]] Axis widened(int most) const;

 private:
  [[nodiscard]] std::vector<Tick> linear_ticks(int most) const;
  [[nodiscard]] std::vector<Tick> logarithmic_ticks(int most) const;
  [[nodiscard]] std::vector<Tick> round_values_within(int first, int last, int stride,
                                                      std::span<const int> digits) const;

  double low_;
  double high_;
  AxisScale scale_;
};

/// The axes that show every point of the chart and every band; 0 is included where it is near.
[[nodiscard]] Axis x_axis_of(const LineChart& chart);
[[nodiscard]] Axis y_axis_of(const LineChart& chart);

/// The least of 1, 2 or 5 times a power of ten that divides the length into at most that many steps.
/// Requires: length > 0, most >= 1.
[[nodiscard]] double nice_step(double length, int most);

/// A value as an axis shows it among values that are `step` apart: "0.25", "12,000", "1.5M", "2e-07".
[[nodiscard]] std::string tick_label(double value, double step);

}  // namespace inkling
