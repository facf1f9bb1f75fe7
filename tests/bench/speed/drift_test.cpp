#include "bench/speed/drift.hpp"

#include <stdexcept>

#include <doctest/doctest.h>

#include "bench/commands/drift_command.hpp"

namespace inkling::bench {

namespace {

DriftReport drift_of(const DriftOptions& options) {
  return measure_drift(options, [](std::int64_t) {});
}

DriftOptions small(FactorKind factor) {
  return {.updates = 5000, .relevant = 40, .documents = 300, .factor = factor};
}

void check_all_pass(const DriftOptions& options) {
  const DriftReport report = drift_of(options);
  CHECK(report.rebuilds == 0);
  CHECK(report.log_det_ratio > 0.0);
  CHECK(report.condition >= 1.0);
  REQUIRE_FALSE(report.figures.empty());
  for (const DriftFigure& figure : report.figures) {
    CAPTURE(figure.name);
    CAPTURE(figure.error);
    CHECK(figure.passes());
  }
}

}  // namespace

TEST_CASE("after 5,000 rewards a model is still the one of extended precision") {
  check_all_pass(small(FactorKind::cholmod));
  check_all_pass(small(FactorKind::dense));
}

TEST_CASE("refining keeps it so, with few documents and a small ridge, too") {
  DriftOptions options = small(FactorKind::cholmod);
  options.documents = 20;
  options.ridge = 0.0078125;
  options.refine_every = 512;

  check_all_pass(options);
}

TEST_CASE("progress adds up to the updates") {
  DriftOptions options = small(FactorKind::dense);
  options.updates = 2500;
  std::int64_t heard = 0;

  const DriftReport report = measure_drift(options, [&](std::int64_t updates) { heard += updates; });

  CHECK(heard == 2500);
  CHECK(report.seconds > 0.0);
}

TEST_CASE("what a listener throws ends the measurement") {
  CHECK_THROWS_AS(
      (void)measure_drift(small(FactorKind::dense), [](std::int64_t) { throw std::runtime_error("enough"); }),
      std::runtime_error);
}

TEST_CASE("the table says pass or FAIL only where something is required") {
  DriftReport report;
  report.figures = {{"theta", "theta, largest absolute error", 1e-9, 1e-10},
                    {"width", "widths", 1e-16, 1e-10},
                    {"log_det", "ln det", 0.5, std::nullopt}};

  const std::string table = drift_table({}, report);

  CHECK(table.find("1.00e-09    1.0e-10  FAIL\n") != std::string::npos);
  CHECK(table.find("1.00e-16    1.0e-10  pass\n") != std::string::npos);
  CHECK(table.find("5.00e-01  \n") != std::string::npos);
}

TEST_CASE("the JSON holds every error with what is required of it") {
  DriftReport report;
  report.figures = {{"theta", "", 0.5, 0.25}, {"pivots", "", 2.0, std::nullopt}};

  const std::string json = drift_json({}, report);

  CHECK(json.find(R"("factor":"cholmod")") != std::string::npos);
  CHECK(json.find(R"("theta":{"error":0.5,"required":0.25,"pass":false})") != std::string::npos);
  CHECK(json.find(R"("pivots":{"error":2,"required":null,"pass":true})") != std::string::npos);
}

}  // namespace inkling::bench
