// A line chart as plain data, for whichever renderer draws it.
#pragma once

#include <string>
#include <vector>

namespace inkling {

enum class AxisScale { linear, logarithmic };

/// Points in the order of x. A point that is not finite, or not positive on a logarithmic axis, is a gap in
/// the line. Invariants: y as long as x; low and high as long as x, or both empty (no band).
struct Series {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> low = {};
  std::vector<double> high = {};
};

/// Whether the points that were measured stand out from the line between them; a terminal shows none.
enum class PointMarks { none, dots };

struct LineChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<Series> series;
  AxisScale x_scale = AxisScale::linear;
  AxisScale y_scale = AxisScale::linear;
  PointMarks points = PointMarks::none;
};

}  // namespace inkling
