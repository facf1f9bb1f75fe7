// Draws a line chart with braille dots, for a terminal.
#pragma once

#include <string>

#include "bench/report/line_chart.hpp"
#include "io/cli/terminal.hpp"

namespace inkling {

/// Everything included, in character cells; enlarged where a chart would not fit.
struct TerminalChartSize {
  int columns = 80;
  int rows = 20;
};

/// Lines of text, each ended by a newline. Each line's name stands at its right end, so that a chart can be
/// read without colour. Bands are not drawn. Requires: linear axes, and series that are lines.
[[nodiscard]] std::string terminal_chart(const LineChart& chart, TerminalChartSize size = {},
                                         Colour colour = Colour::off);

}  // namespace inkling
