// Draws a line chart as a self-contained SVG document.
#pragma once

#include <string>

#include "io/plot/line_chart.hpp"

namespace inkling {

struct SvgSize {
  int width = 760;
  int height = 460;
};

/// Deterministic: the same chart gives the same bytes. All text is escaped; nothing outside the document is
/// referred to.
[[nodiscard]] std::string svg_chart(const LineChart& chart, SvgSize size = {});

}  // namespace inkling
