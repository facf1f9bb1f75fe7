#include "bench/report/terminal_chart.hpp"

#include <limits>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include "bench/report/braille_canvas.hpp"
#include "io/file/utf8.hpp"

namespace inkling {
namespace {

TEST_CASE("dots become the braille characters that Unicode gives them") {
  BrailleCanvas canvas(2, 1);
  CHECK(canvas.character(0, 0) == " ");
  canvas.line(0, 0, 0, 0, 1);
  CHECK(canvas.character(0, 0) == "⠁");
  canvas.line(0, 0, 0, 3, 2);
  CHECK(canvas.character(0, 0) == "⡇");
  CHECK(canvas.ink(0, 0) == 2);
  canvas.line(3, 3, 2, 3, 1);
  CHECK(canvas.character(1, 0) == "⣀");
}

TEST_CASE("a line goes through the dots between its ends, in both directions") {
  for (const bool forth : {true, false}) {
    BrailleCanvas canvas(2, 1);
    if (forth)
      canvas.line(0, 3, 3, 0, 0);
    else
      canvas.line(3, 0, 0, 3, 0);
    CHECK(canvas.character(0, 0) == "⡠");
    CHECK(canvas.character(1, 0) == "⠊");
  }
}

TEST_CASE("a small chart looks as drawn by hand") {
  const LineChart chart = {
      .title = "Regret",
      .x_label = "round",
      .y_label = "",
      .series = {{.name = "up", .x = {0, 10}, .y = {0, 10}}, {.name = "low", .x = {0, 10}, .y = {0, 0}}}};
  // Ten columns and five rows are 20 x 20 dots, so the rising line is the diagonal.
  const std::string expected =
      "Regret\n"
      "10 ┤        ⡠⠊ up\n"
      "   │      ⡠⠊\n"
      " 5 ┤    ⡠⠊\n"
      "   │  ⡠⠊\n"
      " 0 ┤⣠⣊⣀⣀⣀⣀⣀⣀⣀⣀ low\n"
      "   └┬────┬───┬\n"
      "    0    5  10\n"
      "      round\n";
  const std::string drawn = terminal_chart(chart, {.columns = 18, .rows = 9});
  CHECK_MESSAGE(drawn == expected, drawn);
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

TEST_CASE("colour marks lines and names, and no control character of a name gets through") {
  const LineChart chart = {.title = "a\x1b[2Jb",
                           .x_label = "",
                           .y_label = "",
                           .series = {{.name = "n\x1b\n", .x = {0, 1}, .y = {0, 1}}}};
  CHECK(terminal_chart(chart, {}, Colour::on).find(Style(Colour::on).series("n  ", 0)) != std::string::npos);
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
  const std::string drawn = terminal_chart(chart, {.columns = 24, .rows = 6});
  CHECK(drawn.find("third") < drawn.find("first"));
  CHECK(drawn.find("first") < drawn.find("second"));
}

TEST_CASE("a line has a gap where a point is not finite") {
  const LineChart chart = {.title = "",
                           .x_label = "",
                           .y_label = "",
                           .series = {{.name = "up",
                                       .x = {0, 3, 5, 7, 10},
                                       .y = {0, 0, std::numeric_limits<double>::quiet_NaN(), 0, 0}}}};
  const std::string drawn = terminal_chart(chart, {.columns = 19, .rows = 6});
  CHECK_MESSAGE(drawn.find("⣀⣀⣀⡀   ⢀⣀⣀⣀ up") != std::string::npos, drawn);
}

}  // namespace
}  // namespace inkling
