#include "bench/studies/figure_parts.hpp"

#include <cmath>

#include <doctest/doctest.h>

namespace inkling::bench {
namespace {

EntrantResult result_of(const std::string& name, const std::vector<double>& regrets) {
  EntrantResult result{entrant_of({}, "ff-oful", 4, 0.5), std::nullopt, {}};
  result.entrant.name = name;
  for (const double regret : regrets) {
    TrialResult trial;
    trial.regret = regret;
    trial.curve = {regret / 4, regret / 2, regret * 3 / 4, regret};
    result.trials.push_back(trial);
  }
  return result;
}

TEST_CASE("An estimate shows two digits of its error, and so many of itself") {
  CHECK(estimate_text({467.38, 106.6}) == "467 ± 107");
  CHECK(estimate_text({0.3612, 0.0311}) == "0.361 ± 0.031");
  CHECK(estimate_text({12'345.6, 321.0}) == "12,346 ± 321");
  CHECK(estimate_text({-12'345.6, 321.0}) == "-12,346 ± 321");
  CHECK(estimate_text({5.0, 0.0}) == "5.00");
  CHECK(estimate_text({0.0, 0.0}) == "0");
  CHECK(estimate_text({NAN, 1.0}) == "-");
}

TEST_CASE("A ridge is written as a power of two where it is one") {
  CHECK(ridge_text(1.0) == "2^0");
  CHECK(ridge_text(0.0078125) == "2^-7");
  CHECK(ridge_text(1024.0) == "2^10");
  CHECK(ridge_text(3.0) == "3");
}

TEST_CASE("Less regret is claimed only beyond what chance explains") {
  const EntrantResult low = result_of("low", {10.0, 12.0, 11.0, 13.0});
  const EntrantResult high = result_of("high", {20.0, 23.0, 21.0, 22.0});
  const EntrantResult wild = result_of("wild", {0.0, 60.0, 1.0, 2.0});
  CHECK(less_regret_claim("a", "s", low, high).verdict == Verdict::holds);
  CHECK(less_regret_claim("a", "s", high, low).verdict == Verdict::fails);
  CHECK(less_regret_claim("a", "s", low, low).verdict == Verdict::fails);
  CHECK(less_regret_claim("a", "s", low, wild).verdict == Verdict::fails);
  const Claim claim = less_regret_claim("a", "s", low, high);
  REQUIRE(claim.numbers.size() == 4);
  CHECK(claim.numbers[2].value.mean == doctest::Approx(-10.0));
  CHECK(claim.numbers[3].value.mean == doctest::Approx(46.0 / 86.0));
}

TEST_CASE("A factor is judged by the means") {
  const EntrantResult one = result_of("one", {124.0, 126.0});
  const EntrantResult other = result_of("other", {100.0, 100.0});
  CHECK(within_factor_claim("a", "s", one, other, 1.25).verdict == Verdict::holds);
  CHECK(within_factor_claim("a", "s", one, other, 1.24).verdict == Verdict::fails);
}

TEST_CASE("A ridge at the end of its grid is said to be there") {
  EntrantResult tuned = result_of("oful", {1.0});
  const std::vector<double> ridges = {0.5, 1.0, 2.0};
  tuned.tuning =
      Tuning{bench::tuned(tuned.entrant, ridges).candidates, {{3.0, 0.1}, {2.0, 0.1}, {4.0, 0.1}}, 1};
  CHECK(ridge_inside_claim("a", tuned).verdict == Verdict::holds);
  tuned.tuning->chosen = 2;
  const Claim claim = ridge_inside_claim("a", tuned);
  CHECK(claim.verdict == Verdict::fails);
  CHECK(claim.sentence == "The ridge chosen for oful, 2^1, lies strictly inside the grid 2^-1 to 2^1.");
}

TEST_CASE("A chart of regret begins at nothing and ends at the mean of all trials") {
  const StudyResult result{{}, {result_of("one", {4.0, 8.0})}};
  const LineChart chart = regret_chart(result, "title");
  REQUIRE(chart.series.size() == 1);
  CHECK(chart.series[0].x == std::vector<double>{0, 1, 2, 3, 4});
  CHECK(chart.series[0].y == std::vector<double>{0, 1.5, 3, 4.5, 6});
  CHECK(chart.series[0].high.back() == doctest::Approx(6.0 + kBand * 2.0));
}

}  // namespace
}  // namespace inkling::bench
