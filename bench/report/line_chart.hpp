// A line chart as plain data, and drawn with braille dots in a terminal; report.hpp draws pictures.
#pragma once

#include <string>
#include <vector>

#include "io/cli/terminal.hpp"

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
  std::string role = {};  ///< "ff-oful": what has one colour on a whole page; the name where it is empty
};

/// Whether each point that was measured has a symbol, or only some, which tell the lines apart. A terminal
/// shows none.
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

/// Everything included, in character cells; enlarged where a chart would not fit.
struct TerminalChartSize {
  int columns = 80;
  int rows = 20;
};

/// Lines of text, each ended by a newline. Each line's name stands at its right end, so that a chart can be
/// read without colour. Bands are not drawn, but the axis has room for them. Requires: linear axes, series that
/// are lines, and texts without control characters.
[[nodiscard]] std::string terminal_chart(const LineChart& chart, TerminalChartSize size = {},
                                         Colour colour = Colour::off);

}  // namespace inkling
