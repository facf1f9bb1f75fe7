#include "bench/report/terminal_chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/report/axis.hpp"
#include "bench/report/braille_canvas.hpp"
#include "bench/report/label_layout.hpp"
#include "bench/report/polyline.hpp"
#include "io/file/utf8.hpp"

namespace inkling {
namespace {

constexpr std::size_t longest_name = 24;

int columns_of(std::string_view text) { return static_cast<int>(utf8_count(text)); }

std::string spaces(int count) { return std::string(static_cast<std::size_t>(std::max(count, 0)), ' '); }

// Control characters would move the cursor.
std::string printable(std::string text) {
  for (char& character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte < 0x20 || byte == 0x7F) character = ' ';
  }
  return text;
}

class TerminalPainter {
 public:
  TerminalPainter(const LineChart& chart, TerminalChartSize size, Colour colour)
      : chart_(chart),
        style_(colour),
        rows_(std::max({size.rows - rows_around(), static_cast<int>(chart.series.size()), 4})),
        x_axis_(x_axis_of(chart)),
        y_axis_(y_axis_of(chart).widened(most_y_ticks())),
        y_ticks_(y_axis_.ticks(most_y_ticks())),
        left_(widest_y_label()),
        columns_(std::max(size.columns - left_ - 2 - widest_name(), 10)),
        canvas_(columns_, rows_),
        area_{0, 0, canvas_.width() - 1.0, canvas_.height() - 1.0} {}

  std::string paint() {
    draw_all_series();
    std::string out;
    if (!chart_.title.empty()) out += style_.bold(printable(chart_.title)) + "\n";
    if (!chart_.y_label.empty()) out += style_.dim(printable(chart_.y_label)) + "\n";
    const std::map<int, std::string> labels = y_labels_by_row();
    const std::map<int, std::size_t> names = series_by_row();
    for (int row = 0; row < rows_; ++row) {
      const auto label = labels.find(row);
      out += label == labels.end() ? spaces(left_) + " │"
                                   : spaces(left_ - columns_of(label->second)) + label->second + " ┤";
      const auto name = names.find(row);
      out += canvas_row(row, name == names.end());
      if (name != names.end()) out += " " + style_.series(name_of(name->second), name->second);
      out += '\n';
    }
    return out + x_axis_rows();
  }

 private:
  [[nodiscard]] int rows_around() const {
    return 2 + (chart_.title.empty() ? 0 : 1) + (chart_.y_label.empty() ? 0 : 1) +
           (chart_.x_label.empty() ? 0 : 1);
  }
  [[nodiscard]] int most_y_ticks() const { return std::max(rows_ / 3, 2); }
  [[nodiscard]] std::string name_of(std::size_t series) const {
    return utf8_shortened(printable(chart_.series[series].name), longest_name);
  }

  [[nodiscard]] int widest_y_label() const {
    int widest = 0;
    for (const Tick& tick : y_ticks_) widest = std::max(widest, columns_of(tick.label));
    return widest;
  }

  // With the space before it.
  [[nodiscard]] int widest_name() const {
    int widest = 0;
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      widest = std::max(widest, columns_of(name_of(i)) + 1);
    }
    return widest;
  }

  void draw_all_series() {
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      for (const auto& run : runs_of(chart_.series[i])) {
        const bool is_points = chart_.series[i].style == SeriesStyle::points;
        Point from = run.front();
        for (const Point& to : run) {
          draw_line(is_points ? to : from, to, i);
          from = to;
        }
      }
      if (chart_.series[i].style == SeriesStyle::points) draw_bars(i);
    }
  }

  void draw_line(const Point& from, const Point& to, std::size_t series) {
    canvas_.line(nearest(from.x), nearest(from.y), nearest(to.x), nearest(to.y), series);
  }

  void draw_bars(std::size_t index) {
    const Series& series = chart_.series[index];
    for (std::size_t i = 0; i < series.low.size(); ++i) {
      const bool visible =
          x_axis_.shows(series.x[i]) && y_axis_.shows(series.low[i]) && y_axis_.shows(series.high[i]);
      if (!visible) continue;
      const double x = area_.x(x_axis_, series.x[i]);
      draw_line({x, area_.y(y_axis_, series.low[i])}, {x, area_.y(y_axis_, series.high[i])}, index);
    }
  }

  // A reference is a line from side to side.
  [[nodiscard]] std::vector<std::vector<Point>> runs_of(const Series& series) const {
    if (series.style != SeriesStyle::reference) {
      return visible_runs(series.x, series.y, x_axis_, y_axis_, area_);
    }
    const double value = series.y.front();
    if (!y_axis_.shows(value)) return {};
    const double y = area_.y(y_axis_, value);
    return {{{area_.left, y}, {area_.left + area_.width, y}}};
  }

  static int nearest(double place) { return static_cast<int>(std::lround(place)); }

  [[nodiscard]] std::map<int, std::string> y_labels_by_row() const {
    std::map<int, std::string> labels;
    for (const Tick& tick : y_ticks_) labels.emplace(nearest(area_.y(y_axis_, tick.value)) / 4, tick.label);
    return labels;
  }

  // Which series is named in which row: where its line ends, or near.
  [[nodiscard]] std::map<int, std::size_t> series_by_row() const {
    std::vector<std::size_t> named;
    std::vector<double> wanted;
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      const std::vector<std::vector<Point>> runs = runs_of(chart_.series[i]);
      if (runs.empty() || chart_.series[i].name.empty()) continue;
      named.push_back(i);
      const int row = nearest(runs.back().back().y) / 4;
      wanted.push_back(row);
    }
    const std::vector<double> places = spread_labels(wanted, 1, 0, rows_ - 1);
    std::map<int, std::size_t> rows;
    for (std::size_t i = 0; i < named.size(); ++i) rows.emplace(nearest(places[i]), named[i]);
    return rows;
  }

  // Trailing blanks go where nothing follows.
  [[nodiscard]] std::string canvas_row(int row, bool last_of_line) const {
    int end = columns_;
    while (last_of_line && end > 0 && canvas_.character(end - 1, row) == " ") --end;
    std::string out;
    for (int column = 0; column < end; ++column) {
      const std::string character = canvas_.character(column, row);
      out += character == " " ? character : style_.series(character, canvas_.ink(column, row));
    }
    return out;
  }

  [[nodiscard]] std::string x_axis_rows() const {
    std::vector<bool> ticked(static_cast<std::size_t>(columns_), false);
    std::string labels;
    for (const Tick& tick : x_axis_.ticks(std::max(columns_ / 10, 2))) {
      const int column = nearest(area_.x(x_axis_, tick.value)) / 2;
      const int begin = std::max(left_ + 2 + column - columns_of(tick.label) / 2, 0);
      const int free_from = labels.empty() ? 0 : columns_of(labels) + 2;
      if (begin < free_from) continue;
      ticked[static_cast<std::size_t>(column)] = true;
      labels += spaces(begin - columns_of(labels)) + tick.label;
    }
    std::string rows = spaces(left_) + " └";
    for (const bool tick : ticked) rows += tick ? "┬" : "─";
    rows += "\n" + labels + "\n";
    if (!chart_.x_label.empty()) {
      const std::string label = printable(chart_.x_label);
      rows += spaces(left_ + 2 + (columns_ - columns_of(label)) / 2) + style_.dim(label) + "\n";
    }
    return rows;
  }

  const LineChart& chart_;
  Style style_;
  int rows_;
  Axis x_axis_;
  Axis y_axis_;
  std::vector<Tick> y_ticks_;
  int left_;
  int columns_;
  BrailleCanvas canvas_;
  PlotArea area_;
};

}  // namespace

std::string terminal_chart(const LineChart& chart, TerminalChartSize size, Colour colour) {
  return TerminalPainter(chart, size, colour).paint();
}

}  // namespace inkling
