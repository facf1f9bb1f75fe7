// Points on a drawing: the runs of a series that can be drawn, and fewer points that look the same.
#pragma once

#include <span>
#include <vector>

#include "bench/report/axis.hpp"

namespace inkling {

struct Point {
  double x;
  double y;

  friend bool operator==(const Point&, const Point&) = default;
};

/// The drawing area of a chart in the units of a renderer; y grows downward, as on a screen.
struct PlotArea {
  double left;
  double top;
  double width;
  double height;

  [[nodiscard]] double x(const Axis& axis, double value) const { return left + width * axis.position(value); }
  [[nodiscard]] double y(const Axis& axis, double value) const {
    return top + height * (1 - axis.position(value));
  }
};

/// The points of (x, y) that both axes show, cut at those that they do not. No run is empty.
/// Requires: y is as long as x.
[[nodiscard]] std::vector<std::vector<Point>> visible_runs(std::span<const double> x,
                                                           std::span<const double> y, const Axis& x_axis,
                                                           const Axis& y_axis, const PlotArea& area);

/// The line through fewer of the points, ends included, from which no point left out is further away than the
/// tolerance (Ramer, Douglas and Peucker).
[[nodiscard]] std::vector<Point> simplified(std::span<const Point> points, double tolerance);

}  // namespace inkling
