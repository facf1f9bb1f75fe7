#include "bench/studies/study.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include "bench/studies/figure_parts.hpp"

namespace inkling::bench {
namespace {

EntrantResult played_with(const std::string& name, const std::vector<double>& regrets) {
  EntrantResult result{entrant_of({}, "ff-oful", 10, 0.5), std::nullopt, {}};
  result.entrant.name = name;
  for (const double regret : regrets) {
    TrialResult trial;
    trial.regret = regret;
    trial.curve = {regret / 2.0, regret};
    result.trials.push_back(trial);
  }
  return result;
}

TEST_CASE("a mean over trials has the standard error of independent trials") {
  const Estimate regret = played_with("a", {1.0, 2.0, 6.0}).regret();
  CHECK(regret.mean == doctest::Approx(3.0));
  CHECK(regret.standard_error == doctest::Approx(std::sqrt((4.0 + 1.0 + 9.0) / 2.0 / 3.0)));
  const std::vector<Estimate> curve = played_with("a", {1.0, 2.0, 6.0}).curve();
  REQUIRE(curve.size() == 2);
  CHECK(curve[0].mean == doctest::Approx(1.5));
}

TEST_CASE("one trial has a mean and an unknown error") {
  const Estimate regret = played_with("a", {4.0}).regret();
  CHECK(regret.mean == 4.0);
  CHECK(std::isnan(regret.standard_error));
  CHECK(estimate_text(regret) == "4.00");
  CHECK_FALSE(clearly_below(regret, 5.0));
  CHECK_FALSE(clearly_above(regret, 3.0));
}

TEST_CASE("a paired difference cancels what both trials share") {
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

}  // namespace
}  // namespace inkling::bench
