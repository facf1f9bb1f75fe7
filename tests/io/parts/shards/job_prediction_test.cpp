#include "io/parts/shards/job_prediction.hpp"

#include <doctest/doctest.h>

namespace inkling {
namespace {

BuildPlan plan_of_sizes(const std::vector<std::uint64_t>& sizes) {
  BuildPlan plan;
  for (const std::uint64_t size : sizes) plan.parts.push_back({{PlannedFile{.piece = {}, .size = size}}});
  return plan;
}

TEST_CASE("the predicted time of a job is its text divided by the rates of both steps and at least that of its longest part") {
  const JobRates rates = {.counting = 100.0, .building = 50.0};
  const JobPrediction job = predicted_job(plan_of_sizes({1000, 3000, 2000}), rates);
  CHECK(job.work == doctest::Approx(6000.0 / 100.0 + 6000.0 / 50.0));
  CHECK(job.longest_part == doctest::Approx(90.0));
  CHECK(job.seconds_on(1) == doctest::Approx(180.0));
  CHECK(job.seconds_on(2) == doctest::Approx(90.0));
  CHECK(job.seconds_on(100) == doctest::Approx(90.0));
  CHECK(predicted_job(plan_of_sizes({0}), rates).seconds_on(1) == 0.0);
}

TEST_CASE("a duration is written in seconds or minutes or hours") {
  CHECK(duration_text(0.04) == "0.0 s");
  CHECK(duration_text(9.94) == "9.9 s");
  CHECK(duration_text(9.96) == "10 s");
  CHECK(duration_text(119.0) == "119 s");
  CHECK(duration_text(120.0) == "2 min");
  CHECK(duration_text(7200.0) == "2.0 h");
}

}  // namespace
}  // namespace inkling
