#include "bench/speed/factor_comparison.hpp"

#include <array>
#include <cmath>

#include <doctest/doctest.h>

#include "bench/commands/factor_command.hpp"

namespace inkling::bench {

namespace {

constexpr FrequencyBand kBand = {0.01, 0.3};

}  // namespace

TEST_CASE("a workload's births are the next columns of its gram, so that both factors agree on them") {
  const FactorWorkload workload = make_factor_workload(20, 50, kBand, 3);
  const auto cholmod = make_cholesky_factor(FactorKind::cholmod);
  const auto dense = make_cholesky_factor(FactorKind::dense);
  workload.rebuild(*cholmod);
  workload.rebuild(*dense);

  for (const FactorBirth& birth : workload.births) {
    const double schur = cholmod->append(birth.b, birth.c);
    CHECK(dense->append(birth.b, birth.c) == doctest::Approx(schur));
    CHECK(schur >= FactorWorkload::ridge * (1.0 - 1e-12));
  }

  CHECK(cholmod->size() == 20 + FactorWorkload::births_prepared);
  CHECK(cholmod->log_det_ratio(1.0) == doctest::Approx(dense->log_det_ratio(1.0)));
}

TEST_CASE("rows to come are never empty, whatever the frequencies") {
  const FactorWorkload workload = make_factor_workload(5, 0, {1e-9, 1e-9}, 1);

  CHECK(workload.upcoming.size() > 1);
  for (std::size_t t = 0; t < workload.upcoming.size(); ++t) CHECK_FALSE(workload.upcoming.row(t).empty());
}

TEST_CASE("comparing takes a positive time for everything and finds the fill") {
  const FactorComparison comparison = compare_factors(make_factor_workload(12, 40, kBand, 1), Seconds(1e-4));

  for (const FactorTimes& times : {comparison.cholmod, comparison.dense}) {
    CHECK(times.solve > 0.0);
    CHECK(times.update > 0.0);
    CHECK(times.birth > 0.0);
    CHECK(times.rebuild > 0.0);
  }
  CHECK(comparison.fill > 0.0);
  CHECK(comparison.fill <= 1.0);
  CHECK(comparison.words_a_row >= 1.0);
  CHECK(std::isfinite(comparison.reward_ratio()));
}

TEST_CASE("the median of calls is that of the middle one") {
  CHECK(median({3.0, 1.0, 2.0}) == 2.0);
  CHECK(median({5.0}) == 5.0);
}

TEST_CASE("a call as long as the budget is timed once") {
  int calls = 0;

  CHECK(median_seconds(Seconds(0.0), [&] { ++calls; }) >= 0.0);

  CHECK(calls == 1);
}

TEST_CASE("the table and the JSON show the ratio of a reward's cost") {
  FactorCell cell{.band = kBand, .size = 100, .rows = 300};
  cell.result.cholmod = {.solve = 3e-6, .update = 1e-6, .birth = 1.0, .rebuild = 1.0};
  cell.result.dense = {.solve = 1e-6, .update = 1e-6, .birth = 1.0, .rebuild = 1.0};
  const std::array<FactorCell, 2> cells = {cell, FactorCell{}};

  CHECK(factor_table_line(cell).find("0.01 - 0.3      100   300") == 0);
  CHECK(factor_table_line(cell).find("|   2.00\n") != std::string::npos);
  CHECK(factor_table_line(cells[1]).find("(overhead)") == 0);
  const std::string json = factor_json(9, cells);
  CHECK(json.find(R"({"seed":9,"cells":[{"band":[0.01,0.3],"relevant":100,"rows":300,)") == 0);
  CHECK(json.find(R"("ratio":2})") != std::string::npos);
  CHECK(json.find(R"("band":null)") != std::string::npos);
}

}  // namespace inkling::bench
