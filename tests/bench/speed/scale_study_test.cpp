#include "bench/speed/scale_study.hpp"

#include <algorithm>

#include <doctest/doctest.h>

namespace inkling::bench {
namespace {

TEST_CASE("a point moves along its axis alone") {
  const ScalePoint usual = usual_point(Effort::full);
  for (const auto& [axis, name] : kScaleAxes) {
    const ScalePoint there = moved(usual, axis, 64);
    CHECK(there.at(axis) == 64);
    for (const auto& [other, its_name] : kScaleAxes) {
      if (other == axis || (axis == ScaleAxis::documents && other == ScaleAxis::rounds)) continue;
      CHECK(there.at(other) == usual.at(other));
    }
  }
  CHECK(moved(usual, ScaleAxis::documents, 64).rounds == 64);  // each document is shown once
}

TEST_CASE("usual values rise and threads end at those that the process may use") {
  for (const auto& [axis, name] : kScaleAxes) {
    for (const Effort effort : {Effort::full, Effort::quick}) {
      const std::vector<std::int64_t> values = usual_values(axis, effort, 4);
      REQUIRE_FALSE(values.empty());
      CHECK(std::ranges::is_sorted(values));
    }
  }
  CHECK(usual_values(ScaleAxis::threads, Effort::full, 4) == std::vector<std::int64_t>{1, 2, 4});
}

TEST_CASE("a point has a cell for each policy and scoring and their choices agree") {
  std::int64_t done = 0;
  RunListener listener = {.run_done = [&] { ++done; }};
  StudyOptions options = {.repeats = 2, .rescoring_seconds = 0.01, .checking = true};
  const ScalePoint point{.documents = 300, .features = 400, .relevant = 10, .tokens = 40, .threads = 2, .rounds = 100};
  const MeasuredPoint measured = measure_point(point, options, listener);
  CHECK(measured.cells.size() == kRunsAPoint);
  CHECK(done == 2 * kRunsAPoint);
  CHECK(measured.nonzeros > 0);
  for (const ScaleCell& cell : measured.cells) {
    CHECK(cell.times.count > 0);
    CHECK(cell.fastest_mean > 0.0);
    CHECK(cell.fastest_mean <= cell.slowest_mean);
    CHECK(cell.times.mean <= cell.slowest_mean);
    CHECK(cell.differences.value_or(0) == 0);
    CHECK(cell.check.has_value() == (cell.scoring == Scoring::sublinear));
    if (cell.check) CHECK(cell.check->differences == 0);
  }
}

}  // namespace
}  // namespace inkling::bench
