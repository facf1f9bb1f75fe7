#include "bench/report/svg_layout.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace inkling {
namespace {

constexpr SvgSize kNarrow = {.width = 480, .height = 340};

LineChart chart_named(const std::vector<std::string>& names, SeriesLooks looks) {
  LineChart chart{.title = "t", .x_label = "x", .y_label = "y", .series = {}, .looks = looks};
  for (const std::string& name : names) chart.series.push_back({.name = name, .x = {1}, .y = {1}});
  return chart;
}

TEST_CASE("Names stand beside the lines where they leave the plot most of the width") {
  const SvgLayout layout =
      svg_layout(chart_named({"oful", "explore-then-commit"}, SeriesLooks::shapes), kNarrow, {});
  CHECK(layout.names == NamePlace::beside);
  CHECK(layout.height == 340);
  CHECK(layout.area.width > 240);
}

TEST_CASE("A key holds as many columns as fit and makes the drawing higher and not the plot lower") {
  const std::vector<std::string> names(5, "exactly twenty three ch");
  const SvgLayout coloured = svg_layout(chart_named(names, SeriesLooks::colours), kNarrow, {});
  CHECK(coloured.names == NamePlace::beside);
  const SvgLayout layout = svg_layout(chart_named(names, SeriesLooks::shapes), kNarrow, {});
  CHECK(layout.names == NamePlace::below);
  CHECK(layout.key_columns == 2);
  CHECK(layout.height == 340 + 3 * svg_key_gap);
  CHECK(layout.area.height == coloured.area.height);
  CHECK(layout.area.width > coloured.area.width);
}

TEST_CASE("More names than fit one above the other go below however short they are") {
  CHECK(svg_layout(chart_named(std::vector<std::string>(14, "a"), SeriesLooks::shapes), kNarrow, {}).names ==
        NamePlace::beside);
  CHECK(svg_layout(chart_named(std::vector<std::string>(15, "a"), SeriesLooks::shapes), kNarrow, {}).names ==
        NamePlace::below);
}

TEST_CASE("A title breaks at a space into two lines at most") {
  LineChart chart = chart_named({"a"}, SeriesLooks::colours);
  const auto lines_of = [&](const std::string& title) {
    chart.title = title;
    return svg_layout(chart, kNarrow, {}).title_lines;
  };
  CHECK(lines_of("").empty());
  CHECK(lines_of("Regret") == std::vector<std::string>{"Regret"});
  CHECK(lines_of("Regret of two stages, by the length of the first") ==
        std::vector<std::string>{"Regret of two stages, by the length of the", "first"});
  CHECK(lines_of(std::string(100, 'a')).size() == 1);
  const std::vector<std::string> cut = lines_of("one " + std::string(100, 'a'));
  REQUIRE(cut.size() == 2);
  CHECK(cut[1].ends_with("…"));
  CHECK(svg_layout(chart, kNarrow, {}).height == 340 + svg_title_gap);
}

}  // namespace
}  // namespace inkling
