#include "bench/report/svg_chart.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/report/axis.hpp"
#include "bench/report/label_layout.hpp"
#include "bench/report/svg_layout.hpp"
#include "bench/report/svg_look.hpp"
#include "bench/report/svg_series.hpp"
#include "bench/report/xml_text.hpp"
#include "io/file/utf8.hpp"

namespace inkling {
namespace {

// Powers of ten are few, so that each may have its line.
int most_y_ticks(const LineChart& chart, SvgSize size) {
  return std::max(2, size.height / (chart.y_scale == AxisScale::logarithmic ? 35 : 70));
}

class SvgPainter {
 public:
  SvgPainter(const LineChart& chart, SvgSize size, SvgUse use)
      : SvgPainter(chart, size, use, y_axis_of(chart).widened(most_y_ticks(chart, size))) {}

  std::string paint() {
    begin_document();
    paint_titles();
    paint_y_axis();
    paint_x_axis();
    for (const SvgSeries& series : series_) out_ += series.band();
    for (const SvgSeries& series : series_) out_ += series.marks();
    if (layout_.names == NamePlace::beside)
      paint_names();
    else
      paint_key();
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  SvgPainter(const LineChart& chart, SvgSize size, SvgUse use, const Axis& y_axis)
      : chart_(chart),
        size_(size),
        y_ticks_(y_axis.ticks(most_y_ticks(chart, size))),
        layout_(svg_layout(chart, size, y_ticks_)),
        plane_{x_axis_of(chart), y_axis, layout_.area, use} {
    for (std::size_t i = 0; i < chart.series.size(); ++i) series_.emplace_back(chart, i, plane_);
  }

  template <typename... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  [[nodiscard]] std::string colour(SvgInk ink) const { return svg_colour(ink, plane_.use); }

  void begin_document() {
    const std::string fixed = plane_.use == SvgUse::file
                                  ? fmt::format(R"(width="{}" height="{}" )", size_.width, layout_.height)
                                  : "";
    put(R"(<svg xmlns="http://www.w3.org/2000/svg" {3}viewBox="0 0 {0} {1}" role="img")"
        R"( font-family="system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif")"
        R"( font-size="{2}">)",
        size_.width, layout_.height, svg_text_size, fixed);
    put("<title>{}</title>", xml_escaped(chart_.title));
    put(R"(<rect width="100%" height="100%" fill="{}"/>)", colour(SvgInk::paper));
  }

  void paint_titles() {
    double baseline = plane_.area.top - 16;
    if (!chart_.y_label.empty()) {
      put(R"(<text x="20" y="{:.2f}" fill="{}">{}</text>)", baseline, colour(SvgInk::muted),
          xml_escaped(fitting_text(chart_.y_label, size_.width - 40.0)));
      baseline -= 24;
    }
    baseline -= svg_title_gap * (static_cast<double>(layout_.title_lines.size()) - 1);
    for (const std::string& line : layout_.title_lines) {
      put(R"(<text x="20" y="{:.2f}" font-size="16" font-weight="600" fill="{}">{}</text>)", baseline,
          colour(SvgInk::ink), xml_escaped(line));
      baseline += svg_title_gap;
    }
    if (!chart_.x_label.empty()) paint_x_label();
  }

  // Below the middle of the axis, or of the drawing where it is longer than the axis.
  void paint_x_label() {
    const PlotArea& area = plane_.area;
    const bool below_axis = svg_text_width(chart_.x_label) <= area.width;
    const double middle = below_axis ? area.left + area.width / 2 : size_.width / 2.0;
    put(R"(<text x="{:.2f}" y="{:.2f}" text-anchor="middle" fill="{}">{}</text>)", middle,
        plane_.bottom() + 42, colour(SvgInk::muted),
        xml_escaped(fitting_text(chart_.x_label, size_.width - 40.0)));
  }

  void paint_y_axis() {
    for (const Tick& tick : y_ticks_) {
      const double y = plane_.area.y(plane_.y_axis, tick.value);
      out_ += plane_.level(y, fmt::format(R"(stroke="{}")", colour(SvgInk::grid)));
      put(R"(<text x="{:.2f}" y="{:.2f}" text-anchor="end" fill="{}">{}</text>)", plane_.area.left - 10,
          y + 4, colour(SvgInk::muted), tick.label);
    }
  }

  void paint_x_axis() {
    const double bottom = plane_.bottom();
    const std::string stroke = fmt::format(R"(stroke="{}")", colour(SvgInk::axis));
    out_ += plane_.level(bottom, stroke);
    const int most = std::max(2, std::min(size_.width / 95, static_cast<int>(plane_.area.width / 55)));
    for (const Tick& tick : plane_.x_axis.ticks(most)) {
      const double x = plane_.area.x(plane_.x_axis, tick.value);
      put(R"(<line x1="{0:.2f}" y1="{1:.2f}" x2="{0:.2f}" y2="{2:.2f}" {3}/>)", x, bottom, bottom + 5,
          stroke);
      put(R"(<text x="{:.2f}" y="{:.2f}" text-anchor="middle" fill="{}">{}</text>)", x, bottom + 20,
          colour(SvgInk::muted), tick.label);
    }
  }

  // Each name stands right of the end of its line; where names had to move apart, a thin line leads to it.
  void paint_names() {
    std::vector<const SvgSeries*> named;
    std::vector<Point> ends;
    std::vector<double> wanted;
    for (const SvgSeries& series : series_) {
      const std::optional<Point> end = series.end();
      if (!end || series.series().name.empty()) continue;
      named.push_back(&series);
      ends.push_back(*end);
      wanted.push_back(end->y);
    }
    const std::vector<double> places = spread_labels(wanted, svg_label_gap, plane_.area.top, plane_.bottom());
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (chart_.looks == SeriesLooks::colours)
        paint_coloured_name(*named[i], ends[i], places[i]);
      else
        paint_name_with_symbol(*named[i], ends[i], places[i]);
    }
  }

  void paint_leader(const SvgSeries& series, const Point& end, double elbow_x, double y) {
    put(R"(<path d="M{:.2f} {:.2f}L{:.2f} {:.2f}L{:.2f} {:.2f}" fill="none" stroke="{}")"
        R"( stroke-opacity="0.45"/>)",
        end.x, end.y, elbow_x, y, name_x() - 4, y, series.look().colour);
  }

  void paint_coloured_name(const SvgSeries& series, const Point& end, double y) {
    put("{}", svg_symbol(series.look(), end, plane_.use));
    paint_leader(series, end, plane_.right() + 14, y);
    put(R"(<text x="{:.2f}" y="{:.2f}" font-weight="600" fill="{}">{}</text>)", name_x(), y + 4,
        series.look().colour, xml_escaped(utf8_shortened(series.series().name, longest_name)));
  }

  // The symbol stands beside the name and not on the end, where those of several lines would meet.
  void paint_name_with_symbol(const SvgSeries& series, const Point& end, double y) {
    const bool is_reference = series.series().style == SeriesStyle::reference;
    paint_leader(series, end, plane_.right() + 8, y);
    if (!is_reference) put("{}", svg_symbol(series.look(), {plane_.right() + 14, y}, plane_.use));
    paint_plain_name({name_x(), y}, series.series().name);
  }

  void paint_plain_name(const Point& at, std::string_view name) {
    put(R"(<text x="{:.2f}" y="{:.2f}" fill="{}">{}</text>)", at.x, at.y + 4, colour(SvgInk::ink),
        xml_escaped(fitting_text(name, size_.width - 70.0)));
  }

  // Row by row, each name after a piece of its line.
  void paint_key() {
    std::size_t place = 0;
    const double top = plane_.bottom() + (chart_.x_label.empty() ? 36 : 60);
    for (const SvgSeries& series : series_) {
      if (series.series().name.empty()) continue;
      const std::size_t row = place / layout_.key_columns;
      const std::size_t column = place % layout_.key_columns;
      paint_key_entry(series, {20 + layout_.key_column_width * static_cast<double>(column),
                               top + svg_key_gap * static_cast<double>(row)});
      ++place;
    }
  }

  void paint_key_entry(const SvgSeries& series, const Point& at) {
    const SeriesStyle style = series.series().style;
    if (style != SeriesStyle::points) {
      put(R"(<line x1="{0:.2f}" y1="{2:.2f}" x2="{1:.2f}" y2="{2:.2f}" {3} stroke-width="2")"
          R"( stroke-linecap="round"/>)",
          at.x, at.x + 24, at.y, series.look().stroke());
    }
    if (style != SeriesStyle::reference) {
      put("{}", svg_symbol(series.look(), {at.x + 12, at.y}, plane_.use));
    }
    paint_plain_name({at.x + 31, at.y}, series.series().name);
  }

  [[nodiscard]] double name_x() const { return plane_.right() + 22; }

  const LineChart& chart_;
  SvgSize size_;
  std::vector<Tick> y_ticks_;
  SvgLayout layout_;
  SvgPlane plane_;
  std::vector<SvgSeries> series_;
  std::string out_;
};

}  // namespace

std::string svg_chart(const LineChart& chart, SvgSize size, SvgUse use) {
  return SvgPainter(chart, size, use).paint();
}

}  // namespace inkling
