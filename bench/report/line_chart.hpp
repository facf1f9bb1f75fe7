// A line chart as plain data; report.hpp draws it.
#pragma once

#include <string>
#include <vector>

namespace inkling {

enum class AxisScale { linear, logarithmic };

/// How a series is drawn.
enum class SeriesStyle {
  line,       ///< a line through the points, with a band from low to high
  points,     ///< a mark at each point and a bar from low to high; no line
  reference,  ///< one value to compare with: a level over the whole width, with its band
};

/// Points in the order of x. A point that is not finite, or not positive on a logarithmic axis, is a gap in
/// the line. Invariants: y as long as x, except that a reference has one y and no x; low and high as long as
/// y, or both empty (no band).
struct Series {
  std::string name;
  std::vector<double> x = {};
  std::vector<double> y = {};
  std::vector<double> low = {};
  std::vector<double> high = {};
  SeriesStyle style = SeriesStyle::line;
  std::string role = {};  ///< "ff-oful": has the same colour on a whole page; empty: the name
};

/// Whether each measured point has a symbol, or only some, enough to distinguish the lines.
enum class PointMarks { none, dots };

struct LineChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<Series> series = {};
  AxisScale x_scale = AxisScale::linear;
  AxisScale y_scale = AxisScale::linear;
  PointMarks points = PointMarks::none;
};

}  // namespace inkling
