#include "bench/report/svg_chart.hpp"

#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

namespace inkling {
namespace {

// Whether every element is closed in order, every attribute is quoted, and no text holds a bare '<' or '&'.
bool is_well_formed(std::string_view xml) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < xml.size(); ++at) {
    if (xml[at] == '&') {
      const std::string_view rest = xml.substr(at, 6);
      if (!rest.starts_with("&amp;") && !rest.starts_with("&lt;") && !rest.starts_with("&gt;") &&
          !rest.starts_with("&quot;")) {
        return false;
      }
    }
    if (xml[at] != '<') continue;
    const std::size_t end = xml.find('>', at);
    if (end == std::string_view::npos) return false;
    const std::string_view tag = xml.substr(at + 1, end - at - 1);
    at = end;
    if (tag.find('<') != std::string_view::npos) return false;
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.emplace_back(tag.substr(0, tag.find(' ')));
    }
  }
  return open.empty();
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

LineChart two_curves() {
  return {.title = "Regret",
          .x_label = "round",
          .y_label = "regret",
          .series = {{.name = "random", .x = {1, 2, 3}, .y = {1, 2, 4}, .low = {1, 1, 3}, .high = {2, 3, 5}},
                     {.name = "ff-oful", .x = {1, 2, 3}, .y = {1, 1, 1}}}};
}

TEST_CASE("A chart is one well-formed document with a line for each series and a band where there is one") {
  const std::string svg = svg_chart(two_curves());
  CHECK(is_well_formed(svg));
  CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(count_of(svg, "stroke-width=\"2\"") == 2);
  CHECK(count_of(svg, "fill-opacity") == 1);
  CHECK(count_of(svg, ">random</text>") == 1);
  CHECK(count_of(svg, ">ff-oful</text>") == 1);
}

TEST_CASE("The same chart gives the same bytes") {
  CHECK(svg_chart(two_curves()) == svg_chart(two_curves()));
}

TEST_CASE("Text cannot leave its place") {
  LineChart chart = two_curves();
  chart.title = "<script>alert(\"1\")</script> & \x01\xFF";
  chart.x_label = "]]>";
  chart.series[0].name = "a<b&c>\"d\"";
  const std::string svg = svg_chart(chart);
  CHECK(is_well_formed(svg));
  CHECK(svg.find("<script") == std::string::npos);
  CHECK(svg.find("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; \xEF\xBF\xBD\xEF\xBF\xBD") !=
        std::string::npos);
  CHECK(svg.find("a&lt;b&amp;c&gt;&quot;d&quot;") != std::string::npos);
}

TEST_CASE("Points that are not finite are gaps and never reach the document") {
  LineChart chart = two_curves();
  chart.series[0].y[1] = std::numeric_limits<double>::quiet_NaN();
  chart.series[0].high[2] = std::numeric_limits<double>::infinity();
  chart.series[1].x[2] = -std::numeric_limits<double>::infinity();
  const std::string svg = svg_chart(chart);
  CHECK(is_well_formed(svg));
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
}

TEST_CASE("Charts with nothing, one point, or too little room are still documents") {
  const LineChart empty = {.title = "", .x_label = "", .y_label = "", .series = {}};
  CHECK(is_well_formed(svg_chart(empty)));
  LineChart point = two_curves();
  point.series = {{.name = "one", .x = {1}, .y = {1}}, {.name = "none", .x = {}, .y = {}}};
  CHECK(is_well_formed(svg_chart(point)));
  CHECK(is_well_formed(svg_chart(two_curves(), {.width = 1, .height = 1})));
}

TEST_CASE("A chart for a page has no fixed width and takes its colours from the page") {
  const std::string svg = svg_chart(two_curves(), {}, SvgUse::page);
  CHECK(is_well_formed(svg));
  CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 460\""));
  CHECK(count_of(svg, "\"#") == 0);
  CHECK(count_of(svg, "var(--chart-paper, #ffffff)") == 1);
  CHECK(svg_colours_on_black().find("--chart-paper: #") != std::string::npos);
  CHECK(svg_chart(two_curves()).find("var(") == std::string::npos);
}

TEST_CASE("Points stand out only where the chart says so") {
  LineChart chart = two_curves();
  const std::size_t ends = count_of(svg_chart(chart), "<circle");
  chart.points = PointMarks::dots;
  CHECK(ends == 2);
  CHECK(count_of(svg_chart(chart), "<circle") == ends + 6);
}

TEST_CASE("A long straight curve is drawn with few points") {
  LineChart chart = two_curves();
  chart.series = {{.name = "long", .x = {}, .y = {}}};
  for (int i = 0; i < 100000; ++i) {
    chart.series[0].x.push_back(i);
    chart.series[0].y.push_back(2.0 * i);
  }
  CHECK(svg_chart(chart).size() < 10000);
}

LineChart in_shapes(std::size_t count, const std::string& prefix) {
  LineChart chart{.title = "t", .x_label = "x", .y_label = "y", .series = {}, .looks = SeriesLooks::shapes};
  for (std::size_t n = 0; n < count; ++n) {
    const auto height = static_cast<double>(n + 1);
    Series series{.name = prefix + std::to_string(n), .x = {}, .y = {}};
    for (int x = 0; x <= 100; ++x) {
      series.x.push_back(x);
      series.y.push_back(height * x);
    }
    chart.series.push_back(series);
  }
  return chart;
}

TEST_CASE("With shapes, ten lines differ in colour, and all but the first have symbols that are no discs") {
  const std::string svg = svg_chart(in_shapes(10, "line "), {.width = 480, .height = 340});
  CHECK(is_well_formed(svg));
  std::set<std::string> colours;
  for (std::size_t at = svg.find("fill=\"none\" stroke=\"#"); at != std::string::npos;
       at = svg.find("fill=\"none\" stroke=\"#", at + 1)) {
    colours.insert(svg.substr(at + 20, 7));
  }
  CHECK(colours.size() == 10);
  CHECK(count_of(svg, "stroke-dasharray") > 5);
  CHECK(count_of(svg, ">line 9</text>") == 1);
}

TEST_CASE("Symbols stand on points of the line and a few are enough") {
  LineChart chart = in_shapes(1, "line ");
  const std::string svg = svg_chart(chart);
  CHECK(count_of(svg, "<circle") > 3);
  CHECK(count_of(svg, "<circle") < 12);
  chart.points = PointMarks::dots;
  CHECK(count_of(svg_chart(chart), "<circle") < 12);
  chart.points = PointMarks::none;
  chart.series[0].x = {0, 100};
  chart.series[0].y = {0, 100};
  // The one at the end, and the one beside the name.
  CHECK(count_of(svg_chart(chart), "<circle") == 2);
}

TEST_CASE("Names that would crowd a narrow chart stand below it and are whole") {
  const std::string name = "explore-then-commit of a length that nobody expects ";
  const std::string svg = svg_chart(in_shapes(3, name), {.width = 480, .height = 340});
  CHECK(is_well_formed(svg));
  CHECK(count_of(svg, ">" + name + "2</text>") == 1);
  CHECK(svg.find("viewBox=\"0 0 480 394\"") != std::string::npos);
  CHECK(svg.find("height=\"394\"") != std::string::npos);
}

TEST_CASE("Points have bars and no line, and a reference crosses the chart with its band") {
  LineChart chart = {.title = "t", .x_label = "x", .y_label = "y", .series = {}};
  chart.series = {
      {.name = "subset",
       .x = {1, 2, 3},
       .y = {4, 5, 6},
       .low = {3, 4, 5},
       .high = {5, 6, 7},
       .style = SeriesStyle::points},
      {.name = "level", .x = {}, .y = {5}, .low = {4}, .high = {6}, .style = SeriesStyle::reference}};
  for (const SeriesLooks looks : {SeriesLooks::colours, SeriesLooks::shapes}) {
    chart.looks = looks;
    const std::string svg = svg_chart(chart);
    CHECK(is_well_formed(svg));
    CHECK(count_of(svg, "stroke-width=\"1.5\"") == 3);
    CHECK(count_of(svg, "stroke-linejoin") == 0);
    CHECK(count_of(svg, "<rect") == 2);
    CHECK(count_of(svg, "stroke-dasharray=\"6 5\"") == 1);
    CHECK(count_of(svg, ">level</text>") == 1);
  }
}

TEST_CASE("A bar or reference that is not finite is left out") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  LineChart chart = {.title = "t", .x_label = "x", .y_label = "y", .series = {}};
  chart.series = {
      {.name = "a",
       .x = {1, 2},
       .y = {1, nan},
       .low = {nan, 1},
       .high = {2, 2},
       .style = SeriesStyle::points},
      {.name = "b", .x = {}, .y = {nan}, .low = {nan}, .high = {nan}, .style = SeriesStyle::reference}};
  const std::string svg = svg_chart(chart);
  CHECK(is_well_formed(svg));
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(count_of(svg, ">b</text>") == 0);
}

}  // namespace
}  // namespace inkling
