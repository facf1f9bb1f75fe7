#include "bench/report/line_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/file/digit_groups.hpp"
#include "io/file/utf8.hpp"

namespace inkling {
namespace {

/// An end of an axis that rounding moved this far beyond a tick, in steps, is still at the tick.
constexpr double kSlack = 1e-9;

int columns_of(std::string_view text) { return static_cast<int>(utf8_count(text)); }

std::string spaces(int count) { return std::string(static_cast<std::size_t>(std::max(count, 0)), ' '); }

/// What an axis shows. Invariant: low < high.
struct AxisRange {
  double low;
  double high;

  /// The least of 1, 2 or 5 times a power of ten that divides the range into at most `most` steps.
  [[nodiscard]] double step(int most) const {
    const double least = (high - low) / most;
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double digit : {1.0, 2.0, 5.0}) {
      if (digit * power >= least * (1 - kSlack)) return digit * power;
    }
    return 10 * power;
  }

  /// 0 at the low end, 1 at the high one.
  [[nodiscard]] double position(double value) const { return (value - low) / (high - low); }
};

/// All finite values; and zero where it lies near, because a length can be read only from there.
AxisRange range_of(const LineChart& chart, std::initializer_list<std::vector<double> Series::*> columns) {
  AxisRange range = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Series& series : chart.series) {
    for (const auto column : columns) {
      for (const double value : series.*column) {
        if (!std::isfinite(value)) continue;
        range = {std::min(range.low, value), std::max(range.high, value)};
      }
    }
  }
  if (range.low > range.high) return {0, 1};
  if (range.low > 0 && range.low < range.high / 2) range.low = 0;
  if (range.low == range.high) range.high += std::max(std::abs(range.low), 1.0);
  return range;
}

/// The ends moved outward to the next ticks.
AxisRange widened(const AxisRange& range, int most_ticks) {
  const double step = range.step(most_ticks);
  return {std::floor(range.low / step + kSlack) * step, std::ceil(range.high / step - kSlack) * step};
}

struct Tick {
  double value;
  std::string label;
};

/// Round values within the range, in rising order, at most about `most` of them.
std::vector<Tick> ticks_of(const AxisRange& range, int most) {
  const double step = range.step(most);
  const double last = std::floor(range.high / step + kSlack);
  std::vector<Tick> ticks;
  for (double index = std::ceil(range.low / step - kSlack); index <= last; ++index) {
    const double value = index * step + 0.0;
    const bool is_whole = step >= 1 && value >= 0 && value < 1e15;
    ticks.push_back({value, is_whole ? digit_groups(std::llround(value)) : fmt::format("{:g}", value)});
  }
  return ticks;
}

/// A place in dots from the top left.
struct Dot {
  int x;
  int y;
};

/// Cells of two by four dots. A cell has the ink that was last drawn in it, because it has one colour.
class BrailleCanvas {
 public:
  struct Cell {
    unsigned dots = 0;
    std::size_t ink = 0;
  };

  BrailleCanvas(int columns, int rows)
      : columns_(columns), cells_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {}

  [[nodiscard]] Cell& cell(int column, int row) {
    return cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                  static_cast<std::size_t>(column)];
  }

  /// The straight line between two dots, ends included, by Bresenham's algorithm for all directions.
  void line(Dot from, Dot to, std::size_t ink) {
    const int length_x = std::abs(to.x - from.x);
    const int length_y = -std::abs(to.y - from.y);
    int error = length_x + length_y;
    while (true) {
      set(from, ink);
      if (from.x == to.x && from.y == to.y) return;
      const int twice = 2 * error;
      if (twice >= length_y) {
        error += length_y;
        from.x += from.x < to.x ? 1 : -1;
      }
      if (twice <= length_x) {
        error += length_x;
        from.y += from.y < to.y ? 1 : -1;
      }
    }
  }

 private:
  void set(Dot dot, std::size_t ink) {
    // The bits of U+2800 ... U+28FF, by the dot's row and column within its cell.
    constexpr unsigned bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    Cell& inked = cell(dot.x / 2, dot.y / 4);
    inked = {inked.dots | bits[dot.y % 4][dot.x % 2], ink};
  }

  int columns_;
  std::vector<Cell> cells_;
};

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

class TerminalPainter {
 public:
  TerminalPainter(const LineChart& chart, TerminalChartSize size, Colour colour)
      : chart_(chart),
        style_(colour),
        rows_(std::max({size.rows - kRowsAround, static_cast<int>(chart.series.size()), 4})),
        x_range_(range_of(chart, {&Series::x})),
        y_range_(widened(range_of(chart, {&Series::y, &Series::low, &Series::high}), most_y_ticks())),
        y_ticks_(ticks_of(y_range_, most_y_ticks())) {
    int widest_name = 0;
    for (const Tick& tick : y_ticks_) left_ = std::max(left_, columns_of(tick.label));
    for (const Series& series : chart.series)
      widest_name = std::max(widest_name, columns_of(series.name) + 1);
    columns_ = std::max(size.columns - left_ - 2 - widest_name, 10);
  }

  [[nodiscard]] std::string paint() const {
    BrailleCanvas canvas(columns_, rows_);
    const std::vector<int> name_rows = rows_of_their_own(draw_all_series(canvas), rows_);
    std::string out = style_.bold(chart_.title) + "\n" + style_.dim(chart_.y_label) + "\n";
    for (int row = 0; row < rows_; ++row) {
      const auto tick = std::ranges::find(y_ticks_, row, [&](const Tick& at) { return dot_y(at.value) / 4; });
      const auto name = std::ranges::find(name_rows, row);
      out += tick == y_ticks_.end() ? spaces(left_) + " │" : fmt::format("{:>{}} ┤", tick->label, left_);
      std::string dots = canvas_row(canvas, row);
      if (name != name_rows.end()) {
        const auto series = static_cast<std::size_t>(name - name_rows.begin());
        out += dots + " " + style_.series(chart_.series[series].name, series) + "\n";
      } else {
        out += dots.erase(dots.find_last_not_of(' ') + 1) + "\n";
      }
    }
    return out + x_axis_rows();
  }

 private:
  static constexpr int kRowsAround = 5;  // title, name of y, x axis, its labels, name of x

  [[nodiscard]] int most_y_ticks() const { return std::max(rows_ / 3, 2); }
  [[nodiscard]] int dot_x(double value) const {
    return static_cast<int>(std::lround((2.0 * columns_ - 1) * x_range_.position(value)));
  }
  [[nodiscard]] int dot_y(double value) const {
    return static_cast<int>(std::lround((4.0 * rows_ - 1) * (1 - y_range_.position(value))));
  }

  /// Returns in which row each line ends. A line has a gap where a point is not finite.
  std::vector<int> draw_all_series(BrailleCanvas& canvas) const {
    std::vector<int> end_rows(chart_.series.size(), 0);
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      const Series& series = chart_.series[i];
      Dot from = {};
      bool follows_a_point = false;
      for (std::size_t n = 0; n < series.x.size(); ++n) {
        const bool is_point = std::isfinite(series.x[n]) && std::isfinite(series.y[n]);
        const bool is_joined = std::exchange(follows_a_point, is_point);
        if (!is_point) continue;
        const Dot to = {dot_x(series.x[n]), dot_y(series.y[n])};
        canvas.line(is_joined ? from : to, to, i);
        end_rows[i] = to.y / 4;
        from = to;
      }
    }
    return end_rows;
  }

  [[nodiscard]] std::string canvas_row(BrailleCanvas& canvas, int row) const {
    std::string out;
    for (int column = 0; column < columns_; ++column) {
      const auto [dots, ink] = canvas.cell(column, row);
      // U+2800 + dots, in three bytes of UTF-8.
      const std::array character = {'\xE2', static_cast<char>(0xA0U + (dots >> 6U)),
                                    static_cast<char>(0x80U + (dots & 0x3FU))};
      out += dots == 0 ? " " : style_.series({character.data(), character.size()}, ink);
    }
    return out;
  }

  [[nodiscard]] std::string x_axis_rows() const {
    std::vector<std::string_view> line(static_cast<std::size_t>(columns_), "─");
    std::string labels;
    for (const Tick& tick : ticks_of(x_range_, std::max(columns_ / 10, 2))) {
      const int column = dot_x(tick.value) / 2;
      const int begin = std::max(left_ + 2 + column - columns_of(tick.label) / 2, 0);
      if (!labels.empty() && begin < columns_of(labels) + 2) continue;
      line[static_cast<std::size_t>(column)] = "┬";
      labels += spaces(begin - columns_of(labels)) + tick.label;
    }
    return fmt::format("{} └{}\n{}\n{}{}\n", spaces(left_), fmt::join(line, ""), labels,
                       spaces(left_ + 2 + (columns_ - columns_of(chart_.x_label)) / 2),
                       style_.dim(chart_.x_label));
  }

  const LineChart& chart_;
  Style style_;
  int rows_;
  AxisRange x_range_;
  AxisRange y_range_;
  std::vector<Tick> y_ticks_;
  int left_ = 0;
  int columns_ = 0;
};

}  // namespace

std::string terminal_chart(const LineChart& chart, TerminalChartSize size, Colour colour) {
  return TerminalPainter(chart, size, colour).paint();
}

}  // namespace inkling
