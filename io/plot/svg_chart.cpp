#include "io/plot/svg_chart.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "io/file/utf8.hpp"
#include "io/plot/axis.hpp"
#include "io/plot/label_layout.hpp"
#include "io/plot/polyline.hpp"
#include "io/plot/xml_text.hpp"

namespace inkling {
namespace {

// A colour by the name that a page may give it another value under.
struct Tint {
  std::string_view name;
  std::string_view on_white;
  std::string_view on_black;
};

constexpr Tint paper = {"paper", "#ffffff", "#14171a"};
constexpr Tint ink = {"ink", "#1c2126", "#e8ebee"};
constexpr Tint muted = {"muted", "#5b6470", "#a3adb8"};
constexpr Tint grid = {"grid", "#e4e7eb", "#2b3137"};
constexpr Tint axis = {"axis", "#8a939e", "#717b86"};

// After Okabe and Ito, told apart with every kind of colour vision; darkened where white paper wants it, and
// lightened where black does.
constexpr std::array<Tint, 6> palette = {{{"1", "#0072B2", "#5AB4E5"},
                                          {"2", "#D55E00", "#F08A3C"},
                                          {"3", "#00875F", "#2FBF93"},
                                          {"4", "#B0467F", "#DB86B2"},
                                          {"5", "#2E93C9", "#8CCBEB"},
                                          {"6", "#A87500", "#E0B33C"}}};
constexpr std::array<std::string_view, 3> dashes = {"", "7 4", "2 4"};

constexpr double text_size = 12;
// Of the widest common sans-serif, on average, at that size; of its bold; and of the bold at the title's
// size.
constexpr double character_width = 6.8;
constexpr double bold_width = 7.9;
constexpr double title_width = 10.4;
constexpr double label_gap = 17;
constexpr std::size_t longest_name = 28;
constexpr double smallest_shift_seen = 0.15;

// Text that fits into the width.
std::string fitting(std::string_view text, double width, double per_character) {
  return utf8_shortened(text, static_cast<std::size_t>(std::max(width / per_character, 1.0)));
}

double width_of(std::string_view text) { return character_width * static_cast<double>(utf8_count(text)); }

// How one series looks everywhere it appears.
struct Look {
  std::string colour;
  std::string_view dash;

  [[nodiscard]] std::string stroke() const {
    return dash.empty() ? fmt::format(R"(stroke="{}")", colour)
                        : fmt::format(R"(stroke="{}" stroke-dasharray="{}")", colour, dash);
  }
};

std::string path_data(const std::vector<Point>& points, std::string_view first_command) {
  std::string data;
  for (const Point& point : points) {
    data += fmt::format("{}{:.2f} {:.2f}", data.empty() ? first_command : "L", point.x, point.y);
  }
  return data;
}

class SvgPainter {
 public:
  SvgPainter(const LineChart& chart, SvgSize size, SvgUse use)
      : chart_(chart),
        size_(size),
        use_(use),
        x_axis_(x_axis_of(chart)),
        y_axis_(y_axis_of(chart).widened(most_y_ticks())),
        area_(plot_area()) {}

  std::string paint() {
    begin_document();
    paint_titles();
    paint_y_axis();
    paint_x_axis();
    for (std::size_t i = 0; i < chart_.series.size(); ++i) paint_band(i);
    for (std::size_t i = 0; i < chart_.series.size(); ++i) paint_line(i);
    paint_names();
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  // Powers of ten are few, so that each may have its line.
  [[nodiscard]] int most_y_ticks() const {
    return std::max(2, size_.height / (chart_.y_scale == AxisScale::logarithmic ? 35 : 70));
  }
  [[nodiscard]] int most_x_ticks() const { return std::max(2, size_.width / 95); }

  template <typename... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  [[nodiscard]] std::string colour(const Tint& tint) const {
    return use_ == SvgUse::file ? std::string(tint.on_white)
                                : fmt::format("var(--chart-{}, {})", tint.name, tint.on_white);
  }

  [[nodiscard]] Look look_of(std::size_t index) const {
    return {colour(palette[index % palette.size()]), dashes[index / palette.size() % dashes.size()]};
  }

  [[nodiscard]] PlotArea plot_area() const {
    double left = 0;
    for (const Tick& tick : y_axis_.ticks(most_y_ticks())) left = std::max(left, width_of(tick.label));
    double right = 0;
    for (const Series& series : chart_.series) {
      const double characters = static_cast<double>(utf8_count(utf8_shortened(series.name, longest_name)));
      right = std::max(right, bold_width * characters);
    }
    left += 30;
    right += right > 0 ? 38 : 24;
    const double top = 36 + (chart_.title.empty() ? 0 : 26);
    const double bottom = 34 + (chart_.x_label.empty() ? 0 : 22);
    return {left, top, std::max(size_.width - left - right, 40.0),
            std::max(size_.height - top - bottom, 40.0)};
  }

  [[nodiscard]] double right() const { return area_.left + area_.width; }
  [[nodiscard]] double bottom() const { return area_.top + area_.height; }

  void begin_document() {
    const std::string fixed =
        use_ == SvgUse::file ? fmt::format(R"(width="{}" height="{}" )", size_.width, size_.height) : "";
    put(R"(<svg xmlns="http://www.w3.org/2000/svg" {3}viewBox="0 0 {0} {1}" role="img")"
        R"( font-family="system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif")"
        R"( font-size="{2}">)",
        size_.width, size_.height, text_size, fixed);
    put("<title>{}</title>", xml_escaped(chart_.title));
    put(R"(<rect width="100%" height="100%" fill="{}"/>)", colour(paper));
  }

  void paint_titles() {
    double baseline = area_.top - 16;
    if (!chart_.y_label.empty()) {
      put(R"(<text x="20" y="{:.2f}" fill="{}">{}</text>)", baseline, colour(muted),
          xml_escaped(fitting(chart_.y_label, size_.width - 40.0, character_width)));
      baseline -= 24;
    }
    if (!chart_.title.empty()) {
      put(R"(<text x="20" y="{:.2f}" font-size="16" font-weight="600" fill="{}">{}</text>)", baseline,
          colour(ink), xml_escaped(fitting(chart_.title, size_.width - 40.0, title_width)));
    }
    if (!chart_.x_label.empty()) {
      put(R"(<text x="{:.2f}" y="{:.2f}" text-anchor="middle" fill="{}">{}</text>)",
          area_.left + area_.width / 2, bottom() + 42, colour(muted),
          xml_escaped(fitting(chart_.x_label, area_.width, character_width)));
    }
  }

  void paint_y_axis() {
    for (const Tick& tick : y_axis_.ticks(most_y_ticks())) {
      const double y = area_.y(y_axis_, tick.value);
      put(R"(<line x1="{0:.2f}" y1="{2:.2f}" x2="{1:.2f}" y2="{2:.2f}" stroke="{3}"/>)", area_.left, right(),
          y, colour(grid));
      put(R"(<text x="{:.2f}" y="{:.2f}" text-anchor="end" fill="{}">{}</text>)", area_.left - 10, y + 4,
          colour(muted), tick.label);
    }
  }

  void paint_x_axis() {
    put(R"(<line x1="{0:.2f}" y1="{2:.2f}" x2="{1:.2f}" y2="{2:.2f}" stroke="{3}"/>)", area_.left, right(),
        bottom(), colour(axis));
    for (const Tick& tick : x_axis_.ticks(most_x_ticks())) {
      const double x = area_.x(x_axis_, tick.value);
      put(R"(<line x1="{0:.2f}" y1="{1:.2f}" x2="{0:.2f}" y2="{2:.2f}" stroke="{3}"/>)", x, bottom(),
          bottom() + 5, colour(axis));
      put(R"(<text x="{:.2f}" y="{:.2f}" text-anchor="middle" fill="{}">{}</text>)", x, bottom() + 20,
          colour(muted), tick.label);
    }
  }

  void paint_band(std::size_t index) {
    const Series& series = chart_.series[index];
    // A point counts only where both of its edges can be shown, so that both have the same gaps.
    std::vector<double> low = series.low;
    std::vector<double> high = series.high;
    for (std::size_t i = 0; i < low.size(); ++i) {
      if (y_axis_.shows(low[i]) && y_axis_.shows(high[i])) continue;
      low[i] = high[i] = std::numeric_limits<double>::quiet_NaN();
    }
    if (low.empty()) return;
    const auto low_runs = visible_runs(series.x, low, x_axis_, y_axis_, area_);
    const auto high_runs = visible_runs(series.x, high, x_axis_, y_axis_, area_);
    for (std::size_t run = 0; run < low_runs.size(); ++run) {
      std::vector<Point> back = simplified(low_runs[run], smallest_shift_seen);
      std::ranges::reverse(back);
      put(R"(<path d="{}{}Z" fill="{}" fill-opacity="0.14"/>)",
          path_data(simplified(high_runs[run], smallest_shift_seen), "M"), path_data(back, "L"),
          look_of(index).colour);
    }
  }

  void paint_line(std::size_t index) {
    const Series& series = chart_.series[index];
    std::string data;
    for (const auto& run : visible_runs(series.x, series.y, x_axis_, y_axis_, area_)) {
      data += path_data(simplified(run, smallest_shift_seen), "M");
    }
    if (data.empty()) return;
    put(R"(<path d="{}" fill="none" {} stroke-width="2" stroke-linejoin="round" stroke-linecap="round">)"
        "<title>{}</title></path>",
        data, look_of(index).stroke(), xml_escaped(series.name));
    if (chart_.points == PointMarks::dots) paint_points(index);
  }

  void paint_points(std::size_t index) {
    const Series& series = chart_.series[index];
    for (const auto& run : visible_runs(series.x, series.y, x_axis_, y_axis_, area_)) {
      for (const Point& point : run) paint_dot(point, look_of(index));
    }
  }

  void paint_dot(const Point& at, const Look& look) {
    put(R"(<circle cx="{:.2f}" cy="{:.2f}" r="3" fill="{}"/>)", at.x, at.y, look.colour);
  }

  [[nodiscard]] std::optional<Point> end_of(const Series& series) const {
    const auto runs = visible_runs(series.x, series.y, x_axis_, y_axis_, area_);
    if (runs.empty()) return std::nullopt;
    return runs.back().back();
  }

  // Each name stands right of the end of its line; where names had to move apart, a thin line leads to it.
  void paint_names() {
    std::vector<std::size_t> named;
    std::vector<Point> ends;
    std::vector<double> wanted;
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      const std::optional<Point> end = end_of(chart_.series[i]);
      if (!end || chart_.series[i].name.empty()) continue;
      named.push_back(i);
      ends.push_back(*end);
      wanted.push_back(end->y);
    }
    const std::vector<double> places = spread_labels(wanted, label_gap, area_.top, bottom());
    for (std::size_t i = 0; i < named.size(); ++i) paint_name(named[i], ends[i], places[i]);
  }

  void paint_name(std::size_t index, const Point& end, double y) {
    const Look look = look_of(index);
    const std::string& name = chart_.series[index].name;
    const double name_x = right() + 22;
    paint_dot(end, look);
    put(R"(<path d="M{:.2f} {:.2f}L{:.2f} {:.2f}L{:.2f} {:.2f}" fill="none" stroke="{}")"
        R"( stroke-opacity="0.45"/>)",
        end.x, end.y, right() + 14, y, name_x - 4, y, look.colour);
    put(R"(<text x="{:.2f}" y="{:.2f}" font-weight="600" fill="{}">{}</text>)", name_x, y + 4, look.colour,
        xml_escaped(utf8_shortened(name, longest_name)));
  }

  const LineChart& chart_;
  SvgSize size_;
  SvgUse use_;
  Axis x_axis_;
  Axis y_axis_;
  PlotArea area_;
  std::string out_;
};

}  // namespace

std::string svg_chart(const LineChart& chart, SvgSize size, SvgUse use) {
  return SvgPainter(chart, size, use).paint();
}

std::string svg_colours_on_black() {
  std::string declarations;
  const auto declare = [&](const Tint& tint) {
    declarations += fmt::format("--chart-{}: {}; ", tint.name, tint.on_black);
  };
  for (const Tint& tint : {paper, ink, muted, grid, axis}) declare(tint);
  for (const Tint& tint : palette) declare(tint);
  return declarations;
}

}  // namespace inkling
