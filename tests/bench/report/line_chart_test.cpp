#include "bench/report/line_chart.hpp"

#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "io/file/utf8.hpp"

namespace inkling {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST_CASE("a small chart looks as drawn by hand") {
  const LineChart chart = {
      .title = "Regret",
      .x_label = "round",
      .y_label = "total",
      .series = {{.name = "up", .x = {0, 10}, .y = {0, 10}}, {.name = "low", .x = {0, 10}, .y = {0, 0}}}};
  // Ten columns and five rows are 20 x 20 dots, so the rising line is the diagonal.
  const std::string expected =
      "Regret\n"
      "total\n"
      "10 ┤        ⡠⠊ up\n"
      "   │      ⡠⠊\n"
      " 5 ┤    ⡠⠊\n"
      "   │  ⡠⠊\n"
      " 0 ┤⣠⣊⣀⣀⣀⣀⣀⣀⣀⣀ low\n"
      "   └┬────┬───┬\n"
      "    0    5  10\n"
      "      round\n";
  const std::string drawn = terminal_chart(chart, {.columns = 18, .rows = 10});
  CHECK_MESSAGE(drawn == expected, drawn);
}

/// The chart of one line between two points.
std::string drawn_line(std::vector<double> x, std::vector<double> y, TerminalChartSize size = {}) {
  const LineChart chart = {.title = "", .x_label = "", .y_label = "", .series = {{"a", x, y}}};
  return terminal_chart(chart, size);
}

/// The labels of the y axis from the top down.
std::vector<std::string> y_labels(double low, double high, int rows) {
  std::istringstream lines(drawn_line({0, 1}, {low, high}, {.columns = 40, .rows = rows + 5}));
  std::vector<std::string> labels;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t mark = line.find(" ┤");
    if (mark != std::string::npos) labels.push_back(line.substr(line.find_first_not_of(' '), mark));
  }
  for (std::string& label : labels) label = label.substr(0, label.find(' '));
  return labels;
}

TEST_CASE("a line is the same in both directions and falls as it rises") {
  const std::string falling = drawn_line({0, 10}, {10, 0}, {.columns = 16, .rows = 10});
  CHECK_MESSAGE(falling.find("10 ┤⠑⢄\n") != std::string::npos, falling);
  CHECK_MESSAGE(falling.find(" 0 ┤        ⠑⢄ a\n") != std::string::npos, falling);
  CHECK(drawn_line({10, 0}, {0, 10}, {.columns = 16, .rows = 10}).find("10 ┤⠑⢄") != std::string::npos);
}

TEST_CASE("ticks are round, 1, 2 or 5 times a power of ten apart, and within the range") {
  using Labels = std::vector<std::string>;
  CHECK(y_labels(0, 4096, 15) == Labels{"5,000", "4,000", "3,000", "2,000", "1,000", "0"});
  CHECK(y_labels(0, 1, 15) == Labels{"1", "0.8", "0.6", "0.4", "0.2", "0"});
  CHECK(y_labels(-1, 1, 6) == Labels{"1", "0", "-1"});
  CHECK(y_labels(0, 10, 12) == Labels{"10", "5", "0"});
  CHECK(y_labels(0, 2e-7, 6) == Labels{"2e-07", "1e-07", "0"});
}

TEST_CASE("an axis includes zero where its values lie near it, and bands always") {
  CHECK(y_labels(80, 100, 6).back() == "80");
  CHECK(y_labels(40, 100, 6).back() == "0");
  const LineChart chart = {
      .title = "",
      .x_label = "",
      .y_label = "",
      .series = {{.name = "a", .x = {1, 100}, .y = {90, 100}, .low = {80, 85}, .high = {nan, 120}}}};
  const std::string drawn = terminal_chart(chart, {.columns = 40, .rows = 11});
  CHECK_MESSAGE(drawn.find("120 ┤") != std::string::npos, drawn);
  CHECK_MESSAGE(drawn.find(" 80 ┤") != std::string::npos, drawn);
}

TEST_CASE("any range of values can be drawn") {
  for (const double low : {-1e300, -5.0, 0.0, 3.0, nan}) {
    for (const double high : {-5.0, 0.0, 3.0, 3.0000000001, 1e300, nan}) {
      CHECK(y_labels(low, high, 15).size() >= 2);
    }
  }
}

TEST_CASE("no line is wider than asked for, and all names are there") {
  LineChart chart = {.title = "", .x_label = "x", .y_label = "y", .series = {}};
  for (int i = 0; i < 12; ++i) {
    chart.series.push_back({.name = "series-" + std::to_string(i), .x = {1, 1e6}, .y = {1.0, 1.0 + i}});
  }
  const std::string drawn = terminal_chart(chart, {.columns = 60, .rows = 10});
  std::istringstream lines(drawn);
  for (std::string line; std::getline(lines, line);) CHECK(utf8_count(line) <= 60);
  for (const Series& series : chart.series) CHECK(drawn.find(series.name) != std::string::npos);
}

TEST_CASE("colour marks lines and names where it is wanted") {
  const LineChart chart = {
      .title = "", .x_label = "", .y_label = "", .series = {{.name = "name", .x = {0, 1}, .y = {0, 1}}}};
  CHECK(terminal_chart(chart, {}, Colour::on).find(Style(Colour::on).series("name", 0)) != std::string::npos);
  CHECK(terminal_chart(chart).find('\x1b') == std::string::npos);
}

TEST_CASE("charts with nothing or too little room are drawn all the same") {
  const LineChart empty = {.title = "", .x_label = "", .y_label = "", .series = {}};
  CHECK(terminal_chart(empty, {.columns = 1, .rows = 1}).find("└") != std::string::npos);
}

TEST_CASE("names of lines that end at one height stand in rows of their own") {
  const LineChart chart = {.title = "",
                           .x_label = "",
                           .y_label = "",
                           .series = {{.name = "first", .x = {0, 10}, .y = {0, 0}},
                                      {.name = "second", .x = {0, 10}, .y = {10, 0}},
                                      {.name = "third", .x = {0, 10}, .y = {0, 10}}}};
  const std::string drawn = terminal_chart(chart, {.columns = 24, .rows = 9});
  CHECK(drawn.find("third") < drawn.find("first"));
  CHECK(drawn.find("first") < drawn.find("second"));
}

TEST_CASE("a line has a gap where a point is not finite") {
  const LineChart chart = {.title = "",
                           .x_label = "",
                           .y_label = "",
                           .series = {{.name = "up", .x = {0, 3, 5, 7, 10}, .y = {0, 0, nan, 0, 0}}}};
  const std::string drawn = terminal_chart(chart, {.columns = 19, .rows = 9});
  CHECK_MESSAGE(drawn.find("⣀⣀⣀⡀   ⢀⣀⣀⣀ up") != std::string::npos, drawn);
}

}  // namespace
}  // namespace inkling
