// Draws a line chart as a self-contained SVG document.
#pragma once

#include <string>

#include "bench/report/line_chart.hpp"

namespace inkling {

struct SvgSize {
  int width = 760;
  int height = 460;
};

enum class SvgUse {
  file,  ///< of so many pixels, dark on white wherever it is shown
  page,  ///< as wide as its place in an HTML page, in colours that the page may set: see below
};

/// Deterministic: the same chart gives the same bytes. All text is escaped; nothing outside the document is
/// referred to.
[[nodiscard]] std::string svg_chart(const LineChart& chart, SvgSize size = {}, SvgUse use = SvgUse::file);

/// CSS declarations that turn charts made for a page from dark on white to light on black.
[[nodiscard]] std::string svg_colours_on_black();

}  // namespace inkling
