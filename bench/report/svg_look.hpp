// How a series looks everywhere it appears in an SVG chart, and the colours of the rest.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "bench/report/line_chart.hpp"
#include "bench/report/polyline.hpp"
#include "bench/report/svg_chart.hpp"

namespace inkling {

/// What is drawn in no series' colour.
enum class SvgInk { paper, ink, muted, grid, axis };

[[nodiscard]] std::string svg_colour(SvgInk ink, SvgUse use);

/// Told apart at a few points of width, filled ones from hollow ones too.
enum class SvgSymbol {
  disc,
  hollow_square,
  triangle,
  hollow_diamond,
  square,
  ring,
  hollow_triangle,
  diamond,
  cross,
  plus,
};

struct SvgLook {
  std::string colour;
  std::string_view dash;  ///< of its line; empty for one that is not broken
  SvgSymbol symbol;

  /// The attributes of its line.
  [[nodiscard]] std::string stroke() const;
};

/// The look of the series of that index. With `SeriesLooks::shapes` the first ten differ in symbol and in
/// lightness, and neighbours in dash; with `SeriesLooks::colours` all have discs.
[[nodiscard]] SvgLook svg_look(std::size_t series, SeriesLooks looks, SvgUse use);

/// The symbol around a point, as an SVG element.
[[nodiscard]] std::string svg_symbol(const SvgLook& look, Point at, SvgUse use);

}  // namespace inkling
