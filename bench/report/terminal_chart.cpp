#include "bench/report/terminal_chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/report/axis.hpp"
#include "bench/report/braille_canvas.hpp"
#include "io/file/utf8.hpp"

namespace inkling {
namespace {

constexpr std::size_t kLongestName = 24;

/// A place in dots from the top left.
struct Dot {
  int x;
  int y;
};

int columns_of(std::string_view text) { return static_cast<int>(utf8_count(text)); }

std::string spaces(int count) { return std::string(static_cast<std::size_t>(std::max(count, 0)), ' '); }

/// Rows near the wanted ones, in the same order, each used once. Requires: at least as many rows as names.
std::vector<int> rows_of_their_own(const std::vector<int>& wanted, int rows) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t label) { return wanted[label]; });
  std::vector<int> places(wanted.size());
  int earliest = 0;
  for (const std::size_t label : order) {
    places[label] = std::max(wanted[label], earliest);
    earliest = places[label] + 1;
  }
  int latest = rows - 1;
  for (std::size_t n = order.size(); n-- > 0; --latest) {
    latest = places[order[n]] = std::min(places[order[n]], latest);
  }
  return places;
}

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
        canvas_(columns_, rows_) {}

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
    return utf8_shortened(printable(chart_.series[series].name), kLongestName);
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
      for (const std::vector<Dot>& run : runs_of(chart_.series[i])) {
        Dot from = run.front();
        for (const Dot& to : run) {
          canvas_.line(from.x, from.y, to.x, to.y, i);
          from = to;
        }
      }
    }
  }

  [[nodiscard]] int dot_x(double value) const {
    return static_cast<int>(std::lround((canvas_.width() - 1.0) * x_axis_.position(value)));
  }
  [[nodiscard]] int dot_y(double value) const {
    return static_cast<int>(std::lround((canvas_.height() - 1.0) * (1 - y_axis_.position(value))));
  }

  /// The line's points, cut at those that are not finite. No run is empty.
  [[nodiscard]] std::vector<std::vector<Dot>> runs_of(const Series& series) const {
    std::vector<std::vector<Dot>> runs;
    bool in_run = false;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      const bool visible = std::isfinite(series.x[i]) && std::isfinite(series.y[i]);
      if (visible && !in_run) runs.emplace_back();
      if (visible) runs.back().push_back({dot_x(series.x[i]), dot_y(series.y[i])});
      in_run = visible;
    }
    return runs;
  }

  [[nodiscard]] std::map<int, std::string> y_labels_by_row() const {
    std::map<int, std::string> labels;
    for (const Tick& tick : y_ticks_) labels.emplace(dot_y(tick.value) / 4, tick.label);
    return labels;
  }

  // Which series is named in which row: where its line ends, or near.
  [[nodiscard]] std::map<int, std::size_t> series_by_row() const {
    std::vector<std::size_t> named;
    std::vector<int> wanted;
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      const std::vector<std::vector<Dot>> runs = runs_of(chart_.series[i]);
      if (runs.empty() || chart_.series[i].name.empty()) continue;
      named.push_back(i);
      wanted.push_back(runs.back().back().y / 4);
    }
    const std::vector<int> places = rows_of_their_own(wanted, rows_);
    std::map<int, std::size_t> rows;
    for (std::size_t i = 0; i < named.size(); ++i) rows.emplace(places[i], named[i]);
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
      const int column = dot_x(tick.value) / 2;
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
};

}  // namespace

std::string terminal_chart(const LineChart& chart, TerminalChartSize size, Colour colour) {
  return TerminalPainter(chart, size, colour).paint();
}

}  // namespace inkling
