#include "bench/speed/scale_study.hpp"

#include <algorithm>

#include <doctest/doctest.h>

namespace inkling::bench {
namespace {

TEST_CASE("A point moves along its axis alone") {
  const ScalePoint usual = usual_point(Effort::full);
  for (const ScaleAxis axis : kScaleAxes) {
    const ScalePoint moved = at(usual, axis, 64);
    CHECK(value_at(moved, axis) == 64);
    for (const ScaleAxis other : kScaleAxes) {
      if (other == axis || (axis == ScaleAxis::documents && other == ScaleAxis::rounds)) continue;
      CHECK(value_at(moved, other) == value_at(usual, other));
    }
  }
  CHECK(at(usual, ScaleAxis::documents, 64).rounds == 64);  // each document is shown once
}

TEST_CASE("Usual values rise and threads end at those there are") {
  for (const ScaleAxis axis : kScaleAxes) {
    for (const Effort effort : {Effort::full, Effort::quick}) {
      const std::vector<std::int64_t> values = usual_values(axis, effort, 4);
      REQUIRE_FALSE(values.empty());
      CHECK(std::ranges::is_sorted(values));
    }
  }
  CHECK(usual_values(ScaleAxis::threads, Effort::full, 4) == std::vector<std::int64_t>{1, 2, 4});
}

TEST_CASE("A point has a cell for each policy and scoring and their choices agree") {
  std::int64_t done = 0;
  StudyListener listener;
  listener.cell_done = [&] { ++done; };
  StudyOptions options;
  options.checking = Checking::on;
  options.rescoring_seconds = 0.01;
  const ScalePoint point{
      .documents = 300, .features = 400, .relevant = 10, .tokens = 40, .threads = 2, .rounds = 100};
  const MeasuredPoint measured = measure_point(ScaleAxis::documents, point, options, listener);
  CHECK(measured.cells.size() == kCellsAPoint);
  CHECK(done == kCellsAPoint);
  CHECK(measured.nonzeros > 0);
  for (const ScaleCell& cell : measured.cells) {
    CHECK(cell.times.count > 0);
    CHECK(cell.differences.value_or(0) == 0);
    CHECK(cell.check.has_value() == (cell.scoring == Scoring::sublinear));
    if (cell.check) CHECK(cell.check->differences == 0);
  }
}

}  // namespace
}  // namespace inkling::bench
