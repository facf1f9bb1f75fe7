#include "bench/report/report.hpp"

#include <limits>

#include <doctest/doctest.h>

namespace inkling::bench {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

TEST_CASE("points of a chart are lines of a CSV with an empty field for a missing value") {
  const LineChart chart = {
      .title = "",
      .x_label = "",
      .y_label = "",
      .series = {{.name = "oful, \"tuned\"", .x = {0.1, 2}, .y = {1, kNothing}, .low = {0.5, 1}, .high = {1.5, 2}},
                 {.name = "best", .x = {}, .y = {3}, .style = SeriesStyle::reference}}};
  CHECK(chart_csv("sparse", chart) ==
        "sparse,\"oful, \"\"tuned\"\"\",0.1,1,0.5,1.5\n"
        "sparse,\"oful, \"\"tuned\"\"\",2,,1,2\n"
        "sparse,best,,3,,\n");
}

TEST_CASE("summary.json has all of a chart that its CSV does not have") {
  JsonWriter json;
  write_chart(json, "sparse",
              {.title = "Few words",
               .x_label = "rounds",
               .y_label = "regret",
               .series = {{.name = "a", .x = {}, .y = {}, .role = "ff-oful"},
                          {.name = "b", .x = {}, .y = {}, .style = SeriesStyle::points}},
               .x_scale = AxisScale::logarithmic});
  CHECK(json.take() == R"({"name":"sparse","title":"Few words","caption":"","x_label":"rounds","y_label":"regret",)"
                       R"("x_log":true,"y_log":false,"points":false,"series":[{"name":"a","style":"line","role":"ff-oful"},)"
                       R"({"name":"b","style":"points"}]})");
}

}  // namespace
}  // namespace inkling::bench
