#include "bench/report/polyline.hpp"

#include <limits>
#include <vector>

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("A run ends at a point that cannot be shown, and the next one begins behind it") {
  const std::vector<double> x = {0, 1, 2, 3, 4};
  const std::vector<double> y = {0, 1, std::numeric_limits<double>::quiet_NaN(), 1, 0};
  const Axis x_axis(0, 4, AxisScale::linear);
  const Axis y_axis(0, 1, AxisScale::linear);
  const auto runs = visible_runs(x, y, x_axis, y_axis, {.left = 10, .top = 20, .width = 40, .height = 100});
  REQUIRE(runs.size() == 2);
  CHECK(runs[0] == std::vector<Point>{{10, 120}, {20, 20}});
  CHECK(runs[1] == std::vector<Point>{{40, 20}, {50, 120}});
}

TEST_CASE("Points on the way are left out, corners stay") {
  const std::vector<Point> points = {{0, 0}, {1, 0}, {2, 0.01}, {3, 0}, {4, 5}, {5, 0}};
  CHECK(simplified(points, 0.1) == std::vector<Point>{{0, 0}, {3, 0}, {4, 5}, {5, 0}});
  CHECK(simplified(points, 0.007).size() == 5);
  CHECK(simplified(std::vector<Point>{{1, 1}}, 1).size() == 1);
  CHECK(simplified(std::vector<Point>{}, 1).empty());
}

TEST_CASE("A line that comes back to its first point keeps its furthest one") {
  const std::vector<Point> points = {{0, 0}, {3, 4}, {0, 0}};
  CHECK(simplified(points, 1) == points);
}

}  // namespace
}  // namespace inkling
