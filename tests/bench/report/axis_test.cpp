#include "bench/report/axis.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace inkling {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<std::string> labels_of(const Axis& axis, int most) {
  std::vector<std::string> labels;
  for (const Tick& tick : axis.ticks(most)) labels.push_back(tick.label);
  return labels;
}

using Labels = std::vector<std::string>;

TEST_CASE("steps are 1, 2 or 5 times a power of ten") {
  CHECK(nice_step(10, 5) == doctest::Approx(2));
  CHECK(nice_step(10, 4) == doctest::Approx(5));
  CHECK(nice_step(10, 1) == doctest::Approx(10));
  CHECK(nice_step(0.7, 7) == doctest::Approx(0.1));
  CHECK(nice_step(4096, 8) == doctest::Approx(1000));
}

TEST_CASE("ticks are round, within the range, and labelled alike") {
  CHECK(labels_of(Axis(0, 4096), 5) == Labels{"0", "1,000", "2,000", "3,000", "4,000"});
  CHECK(labels_of(Axis(0, 1), 5) == Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  CHECK(labels_of(Axis(-1, 1), 2) == Labels{"-1", "0", "1"});
  CHECK(labels_of(Axis(0, 3e6), 3) == Labels{"0", "1M", "2M", "3M"});
  CHECK(labels_of(Axis(0, 2e-7), 2) == Labels{"0", "1e-07", "2e-07"});
}

TEST_CASE("positions run from 0 to 1") { CHECK(Axis(2, 4).position(3) == doctest::Approx(0.5)); }

TEST_CASE("any range becomes one that can be drawn, with finite ticks in rising order") {
  for (const double low : {-infinity, -1e308, -5.0, 0.0, 1e-320, 3.0, 1e308, nan}) {
    for (const double high : {-infinity, -5.0, 0.0, 3.0, 3.0000000001, 1e308, infinity, nan}) {
      const Axis axis = Axis(low, high).widened(5);
      CHECK(axis.low() < axis.high());
      CHECK(std::isfinite(axis.position(axis.low())));
      const std::vector<Tick> ticks = axis.ticks(5);
      CHECK(ticks.size() >= 2);
      CHECK(ticks.size() <= 12);
      for (std::size_t i = 1; i < ticks.size(); ++i) CHECK(ticks[i - 1].value < ticks[i].value);
    }
  }
}

TEST_CASE("an axis includes zero where its values lie near it, and bands always") {
  const LineChart chart = {
      .title = "",
      .x_label = "",
      .y_label = "",
      .series = {{.name = "a", .x = {1, 100}, .y = {90, 100}, .low = {80, 85}, .high = {nan, 120}}}};
  CHECK(x_axis_of(chart).low() == 0);
  CHECK(x_axis_of(chart).high() == 100);
  CHECK(y_axis_of(chart).low() == 80);
  CHECK(y_axis_of(chart).high() == 120);
}

}  // namespace
}  // namespace inkling
