#include "bench/report/polyline.hpp"

#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>

namespace inkling {
namespace {

double distance(const Point& point, const Point& from, const Point& to) {
  const double along_x = to.x - from.x;
  const double along_y = to.y - from.y;
  const double length = std::hypot(along_x, along_y);
  if (length == 0) return std::hypot(point.x - from.x, point.y - from.y);
  return std::abs(along_x * (point.y - from.y) - along_y * (point.x - from.x)) / length;
}

}  // namespace

std::vector<std::vector<Point>> visible_runs(std::span<const double> x, std::span<const double> y,
                                             const Axis& x_axis, const Axis& y_axis, const PlotArea& area) {
  assert(x.size() == y.size());
  std::vector<std::vector<Point>> runs;
  bool in_run = false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool visible = x_axis.shows(x[i]) && y_axis.shows(y[i]);
    if (visible && !in_run) runs.emplace_back();
    if (visible) runs.back().push_back({area.x(x_axis, x[i]), area.y(y_axis, y[i])});
    in_run = visible;
  }
  return runs;
}

std::vector<Point> simplified(std::span<const Point> points, double tolerance) {
  if (points.size() < 3) return {points.begin(), points.end()};
  std::vector<bool> kept(points.size(), false);
  kept.front() = true;
  kept.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> open = {{0, points.size() - 1}};
  while (!open.empty()) {
    const auto [from, to] = open.back();
    open.pop_back();
    std::size_t furthest = from;
    double greatest = tolerance;
    for (std::size_t i = from + 1; i < to; ++i) {
      const double away = distance(points[i], points[from], points[to]);
      if (away <= greatest) continue;
      greatest = away;
      furthest = i;
    }
    if (furthest == from) continue;
    kept[furthest] = true;
    open.emplace_back(from, furthest);
    open.emplace_back(furthest, to);
  }
  std::vector<Point> result;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (kept[i]) result.push_back(points[i]);
  }
  return result;
}

}  // namespace inkling
