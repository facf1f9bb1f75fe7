// One series of a chart within its axes, as SVG elements.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/report/axis.hpp"
#include "bench/report/line_chart.hpp"
#include "bench/report/polyline.hpp"
#include "bench/report/svg_chart.hpp"
#include "bench/report/svg_look.hpp"

namespace inkling {

/// Where and for what a chart is drawn.
struct SvgPlane {
  Axis x_axis;
  Axis y_axis;
  PlotArea area;
  SvgUse use;

  [[nodiscard]] double right() const { return area.left + area.width; }
  [[nodiscard]] double bottom() const { return area.top + area.height; }

  /// A line from side to side, with these attributes.
  [[nodiscard]] std::string level(double y, std::string_view attributes) const;
};

/// Elements end with newlines; nothing is drawn of what the axes cannot show. Lifetime: lends the chart and
/// the plane.
class SvgSeries {
 public:
  /// Requires: index < chart.series.size().
  SvgSeries(const LineChart& chart, std::size_t index, const SvgPlane& plane);

  /// What is shaded between low and high, which goes below the lines of all series.
  [[nodiscard]] std::string band() const;
  /// Its line, symbols and bars.
  [[nodiscard]] std::string marks() const;
  /// What its name belongs to: the last point, or the right end of a reference.
  [[nodiscard]] std::optional<Point> end() const;

  [[nodiscard]] const Series& series() const { return series_; }
  [[nodiscard]] const SvgLook& look() const { return look_; }

 private:
  [[nodiscard]] std::vector<std::vector<Point>> runs() const;
  [[nodiscard]] bool has_band_at(std::size_t point) const;
  [[nodiscard]] std::string line_band() const;
  [[nodiscard]] std::string reference_band() const;
  [[nodiscard]] std::string line() const;
  [[nodiscard]] std::string reference() const;
  /// Whether symbols at all points would hide their line.
  [[nodiscard]] bool is_crowded() const;
  [[nodiscard]] std::string symbols_at_points() const;
  [[nodiscard]] std::string symbols_on_line() const;
  [[nodiscard]] std::string bars() const;

  const LineChart& chart_;
  const Series& series_;
  std::size_t index_;
  const SvgPlane& plane_;
  SvgLook look_;
};

}  // namespace inkling
