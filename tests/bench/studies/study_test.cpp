#include "bench/studies/study.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include "bench/studies/figure_parts.hpp"
#include "engine/core/random_stream.hpp"
#include "tests/bench/studies/small_study.hpp"

namespace inkling::bench {
namespace {

using test::played_with;

TEST_CASE("a mean over trials has the standard error of independent trials") {
  const Estimate regret = played_with("a", {1.0, 2.0, 6.0}).regret();
  CHECK(regret.mean == doctest::Approx(3.0));
  CHECK(regret.standard_error == doctest::Approx(std::sqrt((4.0 + 1.0 + 9.0) / 2.0 / 3.0)));
  const std::vector<Estimate> curve = played_with("a", {1.0, 2.0, 6.0}).curve();
  REQUIRE(curve.size() == 4);
  CHECK(curve[1].mean == doctest::Approx(1.5));
}

TEST_CASE("one trial has a mean and an unknown error, and a paired difference cancels what both trials share") {
  const Estimate regret = played_with("a", {4.0}).regret();
  CHECK(regret.mean == 4.0);
  CHECK(std::isnan(regret.standard_error));
  CHECK(estimate_text(regret) == "4.00");
  CHECK_FALSE(clearly_below(regret, 5.0));
  CHECK_FALSE(clearly_above(regret, 3.0));

  const EntrantResult one = played_with("one", {11.0, 102.0, 1003.0});
  const EntrantResult other = played_with("other", {10.0, 100.0, 1000.0});
  const Estimate difference = paired_difference(one, other, final_regret);
  CHECK(difference.mean == doctest::Approx(2.0));
  CHECK(difference.standard_error == doctest::Approx(std::sqrt(2.0 / 2.0 / 3.0)));
}

TEST_CASE("a paired ratio of proportional trials is exact and any other has the error of the delta method") {
  const EntrantResult other = played_with("other", {10.0, 20.0, 60.0});
  const Estimate half = paired_ratio(played_with("one", {5.0, 10.0, 30.0}), other, final_regret);
  CHECK(half.mean == doctest::Approx(0.5));
  CHECK(half.standard_error == doctest::Approx(0.0));

  const Estimate ratio = paired_ratio(played_with("one", {15.0, 10.0, 20.0}), other, final_regret);
  // Residuals (one - 0.5 other) / 30 are 10, 0 and -10 thirtieths.
  CHECK(ratio.mean == doctest::Approx(0.5));
  CHECK(ratio.standard_error == doctest::Approx(std::sqrt(2.0 * 100.0 / 900.0 / 2.0 / 3.0)));
}

TEST_CASE("an entrant of a study is found by its name") {
  const StudyResult result{{}, {played_with("a", {1.0}), played_with("b", {2.0})}};
  CHECK(result.of("b").regret().mean == 2.0);
}

TEST_CASE("a number is clearly below a bound where its 95 percent interval is") {
  CHECK(clearly_below({-2.0, 1.0}, 0.0));
  CHECK_FALSE(clearly_below({-1.9, 1.0}, 0.0));
  CHECK(clearly_above({2.0, 1.0}, 0.0));
  CHECK_FALSE(clearly_above({1.9, 1.0}, 0.0));
  CHECK_FALSE(clearly_below({std::nan(""), 0.0}, 0.0));
  CHECK_FALSE(clearly_above({std::nan(""), 0.0}, 0.0));
}

TEST_CASE("regret until a round is interpolated between checkpoints") {
  TrialResult trial;
  trial.curve = {1.0, 3.0, 4.0};  // after rounds 1, 2 and 3
  CHECK(regret_until(trial, 3, 0.0) == 0.0);
  CHECK(regret_until(trial, 3, 0.5) == 0.5);
  CHECK(regret_until(trial, 3, 1.0) == 1.0);
  CHECK(regret_until(trial, 3, 2.25) == 3.25);
  CHECK(regret_until(trial, 3, 3.0) == 4.0);
}

TEST_CASE("the median of an even number of values is the mean of the middle two") {
  CHECK(median({3.0}) == 3.0);
  CHECK(median({5.0, 1.0, 3.0}) == 3.0);
  CHECK(median({4.0, 1.0, 3.0, 2.0}) == 2.5);
}

TEST_CASE("words count as found by a round in trials whose last mark came no later") {
  EntrantResult result;
  result.trials.resize(4);
  result.trials[0].all_found_at = 10;
  result.trials[1].all_found_at = 11;
  result.trials[2].all_found_at = 5;
  CHECK(found_all_by(result, 10).mean == 0.5);
  CHECK(found_all_by(result, 100).mean == 0.75);
}

TEST_CASE("the line through means is the mean of the trials' lines with their spread as its error") {
  const std::vector<double> x = {1.0, 2.0, 4.0};
  const StraightLine line = mean_line(x, {{3.0, 5.0, 9.0}, {3.0, 4.0, 6.0}});  // 1 + 2x and 2 + x
  CHECK(line.level.mean == doctest::Approx(1.5));
  CHECK(line.slope.mean == doctest::Approx(1.5));
  CHECK(line.slope.standard_error == doctest::Approx(0.5));
}

TEST_CASE("a power law through means is found exactly where every trial follows it") {
  const std::vector<double> x = {1.0, 2.0, 4.0, 8.0};
  std::vector<std::vector<double>> by_trial(2);
  for (const double value : x) {
    by_trial[0].push_back(3.0 * std::sqrt(value));
    by_trial[1].push_back(5.0 * std::sqrt(value));
  }
  const Estimate exponent = growth_exponent(x, by_trial);
  CHECK(exponent.mean == doctest::Approx(0.5));
  CHECK(exponent.standard_error == doctest::Approx(0.0).epsilon(1e-9));
}

TEST_CASE("the error of an exponent is as large as the spread of exponents over new trials") {
  const std::uint64_t seed = 11;
  CAPTURE(seed);
  const std::vector<double> x = {1.0, 2.0, 4.0, 8.0};
  std::vector<double> exponents;
  double claimed = 0.0;
  const int repetitions = 400;
  RandomStream random(seed, 0, RandomRole::reward);
  for (int n = 0; n < repetitions; ++n) {
    std::vector<std::vector<double>> by_trial(30);
    for (std::vector<double>& trial : by_trial)
      for (const double value : x) trial.push_back(value * (1.0 + 0.5 * random.normal()));
    const Estimate exponent = growth_exponent(x, by_trial);
    exponents.push_back(exponent.mean);
    claimed += exponent.standard_error / repetitions;
  }
  const double spread = std::sqrt(static_cast<double>(repetitions)) * estimate_of(exponents).standard_error;
  CHECK(claimed == doctest::Approx(spread).epsilon(0.15));
}

TEST_CASE("no exponent is found if there is nothing to fit") {
  const std::vector<double> x = {1.0, 2.0};
  CHECK(std::isnan(growth_exponent(x, {}).mean));
  CHECK(std::isnan(growth_exponent(x, {{0.0, 0.0}, {0.0, 0.0}}).mean));
}

}  // namespace
}  // namespace inkling::bench
