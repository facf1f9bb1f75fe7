#include "bench/report/svg_series.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include <fmt/format.h>

#include "bench/report/xml_text.hpp"

namespace inkling {
namespace {

constexpr double smallest_shift_seen = 0.15;
// Between the symbols on a line; each line has its own places, so that those of lines that run together stand
// apart.
constexpr double symbol_distance = 80;
// Lines that start together are not told apart before that.
constexpr double first_symbol = 30;

std::string path_data(const std::vector<Point>& points, std::string_view first_command) {
  std::string data;
  for (const Point& point : points) {
    data += fmt::format("{}{:.2f} {:.2f}", data.empty() ? first_command : "L", point.x, point.y);
  }
  return data;
}

// The first point at or after every place of a comb over the width; one that several lead to counts once.
std::vector<Point> points_at(const std::vector<Point>& run, double first_place, double distance) {
  std::vector<Point> found;
  double place = first_place;
  for (const Point& point : run) {
    if (point.x < place) continue;
    found.push_back(point);
    while (place <= point.x) place += distance;
  }
  return found;
}

SvgLook look_of(const LineChart& chart, std::size_t index, SvgUse use) {
  SvgLook look = svg_look(index, chart.looks, use);
  if (chart.series[index].style == SeriesStyle::reference) look.dash = "6 5";
  return look;
}

}  // namespace

std::string SvgPlane::level(double y, std::string_view attributes) const {
  return fmt::format("<line x1=\"{0:.2f}\" y1=\"{2:.2f}\" x2=\"{1:.2f}\" y2=\"{2:.2f}\" {3}/>\n", area.left,
                     right(), y, attributes);
}

SvgSeries::SvgSeries(const LineChart& chart, std::size_t index, const SvgPlane& plane)
    : chart_(chart),
      series_(chart.series[index]),
      index_(index),
      plane_(plane),
      look_(look_of(chart, index, plane.use)) {
  assert(series_.style == SeriesStyle::reference ? series_.x.empty() && series_.y.size() == 1
                                                 : series_.x.size() == series_.y.size());
}

std::string SvgSeries::band() const {
  switch (series_.style) {
    case SeriesStyle::line:
      return line_band();
    case SeriesStyle::reference:
      return reference_band();
    case SeriesStyle::points:
      break;
  }
  return "";
}

std::string SvgSeries::marks() const {
  switch (series_.style) {
    case SeriesStyle::line:
      return line();
    case SeriesStyle::reference:
      return reference();
    case SeriesStyle::points:
      break;
  }
  return bars() + symbols_at_points();
}

std::optional<Point> SvgSeries::end() const {
  if (series_.style == SeriesStyle::reference) {
    const double value = series_.y.front();
    if (!plane_.y_axis.shows(value)) return std::nullopt;
    return Point{plane_.right(), plane_.area.y(plane_.y_axis, value)};
  }
  const std::vector<std::vector<Point>> all = runs();
  if (all.empty()) return std::nullopt;
  return all.back().back();
}

std::vector<std::vector<Point>> SvgSeries::runs() const {
  return visible_runs(series_.x, series_.y, plane_.x_axis, plane_.y_axis, plane_.area);
}

bool SvgSeries::has_band_at(std::size_t point) const {
  return point < series_.low.size() && plane_.y_axis.shows(series_.low[point]) &&
         plane_.y_axis.shows(series_.high[point]);
}

std::string SvgSeries::line_band() const {
  // A point counts only where both of its edges can be shown, so that both have the same gaps.
  std::vector<double> low = series_.low;
  std::vector<double> high = series_.high;
  if (low.empty()) return "";
  for (std::size_t i = 0; i < low.size(); ++i) {
    if (has_band_at(i)) continue;
    low[i] = high[i] = std::numeric_limits<double>::quiet_NaN();
  }
  const auto low_runs = visible_runs(series_.x, low, plane_.x_axis, plane_.y_axis, plane_.area);
  const auto high_runs = visible_runs(series_.x, high, plane_.x_axis, plane_.y_axis, plane_.area);
  std::string elements;
  for (std::size_t run = 0; run < low_runs.size(); ++run) {
    std::vector<Point> back = simplified(low_runs[run], smallest_shift_seen);
    std::ranges::reverse(back);
    elements += fmt::format("<path d=\"{}{}Z\" fill=\"{}\" fill-opacity=\"0.14\"/>\n",
                            path_data(simplified(high_runs[run], smallest_shift_seen), "M"),
                            path_data(back, "L"), look_.colour);
  }
  return elements;
}

std::string SvgSeries::reference_band() const {
  if (!has_band_at(0)) return "";
  const double top = plane_.area.y(plane_.y_axis, series_.high.front());
  const double height = std::max(plane_.area.y(plane_.y_axis, series_.low.front()) - top, 0.0);
  return fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\" "
      "fill-opacity=\"0.14\"/>\n",
      plane_.area.left, top, plane_.area.width, height, look_.colour);
}

std::string SvgSeries::line() const {
  std::string data;
  for (const auto& run : runs()) data += path_data(simplified(run, smallest_shift_seen), "M");
  if (data.empty()) return "";
  std::string elements = fmt::format(
      "<path d=\"{}\" fill=\"none\" {} stroke-width=\"2\" stroke-linejoin=\"round\" "
      "stroke-linecap=\"round\"><title>{}</title></path>\n",
      data, look_.stroke(), xml_escaped(series_.name));
  const bool has_shapes = chart_.looks == SeriesLooks::shapes;
  if (chart_.points == PointMarks::dots && !(has_shapes && is_crowded()))
    return elements + symbols_at_points();
  return has_shapes ? elements + symbols_on_line() : elements;
}

std::string SvgSeries::reference() const {
  const std::optional<Point> at = end();
  return at ? plane_.level(at->y, look_.stroke() + " stroke-width=\"2\"") : "";
}

bool SvgSeries::is_crowded() const {
  constexpr double symbol_width = 10;
  return static_cast<double>(series_.x.size()) * symbol_width > plane_.area.width;
}

std::string SvgSeries::symbols_at_points() const {
  std::string elements;
  for (const auto& run : runs()) {
    for (const Point& point : run) elements += svg_symbol(look_, point, plane_.use) + "\n";
  }
  return elements;
}

std::string SvgSeries::symbols_on_line() const {
  const double share = (static_cast<double>(index_) + 0.5) / static_cast<double>(chart_.series.size());
  const double first_place = plane_.area.left + first_symbol + share * symbol_distance;
  std::string elements;
  for (const auto& run : runs()) {
    for (const Point& point : points_at(run, first_place, symbol_distance)) {
      elements += svg_symbol(look_, point, plane_.use) + "\n";
    }
  }
  return elements;
}

std::string SvgSeries::bars() const {
  constexpr double half_width = 3;
  std::string elements;
  for (std::size_t i = 0; i < series_.x.size(); ++i) {
    if (!plane_.x_axis.shows(series_.x[i]) || !has_band_at(i)) continue;
    const double x = plane_.area.x(plane_.x_axis, series_.x[i]);
    elements += fmt::format(
        "<path d=\"M{0:.2f} {3:.2f}L{2:.2f} {3:.2f}M{1:.2f} {3:.2f}L{1:.2f} {4:.2f}M{0:.2f} {4:.2f}"
        "L{2:.2f} {4:.2f}\" fill=\"none\" stroke=\"{5}\" stroke-width=\"1.5\"/>\n",
        x - half_width, x, x + half_width, plane_.area.y(plane_.y_axis, series_.low[i]),
        plane_.area.y(plane_.y_axis, series_.high[i]), look_.colour);
  }
  return elements;
}

}  // namespace inkling
