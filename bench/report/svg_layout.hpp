// Where the parts of an SVG chart stand, before anything is drawn.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/report/axis.hpp"
#include "bench/report/line_chart.hpp"
#include "bench/report/polyline.hpp"
#include "bench/report/svg_chart.hpp"

namespace inkling {

/// Where the names of series stand.
enum class NamePlace {
  beside,  ///< right of the line ends
  below,   ///< in a key below the chart, which is that much higher
};

struct SvgLayout {
  PlotArea area;
  double height;  ///< of the whole drawing
  std::vector<std::string> title_lines;
  NamePlace names;
  std::size_t key_columns;  ///< where names stand below; at least 1
  double key_column_width;
};

/// Beside, names longer than `longest_name` are to be shortened. They go below only with
/// `SeriesLooks::shapes`, where they would take more than a good third of the width or do not fit one above
/// the other.
[[nodiscard]] SvgLayout svg_layout(const LineChart& chart, SvgSize size, std::span<const Tick> y_ticks);

/// In characters.
inline constexpr std::size_t longest_name = 28;

/// In units of the drawing: the size of its letters, the least distance of two names, and of two lines of a
/// title and of a key.
inline constexpr double svg_text_size = 12;
inline constexpr double svg_label_gap = 17;
inline constexpr double svg_title_gap = 20;
inline constexpr double svg_key_gap = 18;

/// Of the widest common sans-serif, on average.
[[nodiscard]] double svg_text_width(std::string_view text);

/// What fits of it into the width; an ellipsis stands for the rest.
[[nodiscard]] std::string fitting_text(std::string_view text, double width);

}  // namespace inkling
