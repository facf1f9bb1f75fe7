// A line chart as plain data, for whichever renderer draws it.
#pragma once

#include <string>
#include <vector>

namespace inkling {

enum class AxisScale { linear, logarithmic };

/// How a series is drawn; a terminal knows no band.
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
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> low = {};
  std::vector<double> high = {};
  SeriesStyle style = SeriesStyle::line;
  std::string role = {};  ///< "ff-oful": what has one colour on a whole page; the name where it is empty
};

/// Whether the points that were measured stand out from the line between them; a terminal shows none, and
/// shapes only some of those that would hide the line.
enum class PointMarks { none, dots };

/// What tells one series from another besides its name.
enum class SeriesLooks {
  colours,  ///< colours of even lightness, in which names read well; for a handful of series on a screen
  shapes,   ///< dashes, symbols and lightness too: ten series without colour, on paper, at half width
};

struct LineChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<Series> series;
  AxisScale x_scale = AxisScale::linear;
  AxisScale y_scale = AxisScale::linear;
  PointMarks points = PointMarks::none;
  SeriesLooks looks = SeriesLooks::colours;
};

}  // namespace inkling
