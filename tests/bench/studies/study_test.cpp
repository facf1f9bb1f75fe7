#include "bench/studies/study.hpp"

#include <atomic>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "tests/bench/studies/small_study.hpp"
#include "tests/support/engine/with_threads.hpp"

namespace inkling::bench {
namespace {

using test::played_with, test::small_study;

TEST_CASE("a mean over trials has the standard error of independent trials") {
  const Estimate regret = played_with("a", {1.0, 2.0, 6.0}).regret();
  CHECK(regret.mean == doctest::Approx(3.0));
  CHECK(regret.standard_error == doctest::Approx(std::sqrt((4.0 + 1.0 + 9.0) / 2.0 / 3.0)));
  const std::vector<Estimate> curve = played_with("a", {1.0, 2.0, 6.0}).curve();
  REQUIRE(curve.size() == 4);
  CHECK(curve[1].mean == doctest::Approx(1.5));
}

TEST_CASE("one trial has a mean and an unknown error") {
  const Estimate regret = played_with("a", {4.0}).regret();
  CHECK(regret.mean == 4.0);
  CHECK(std::isnan(regret.standard_error));
  CHECK(estimate_text(regret) == "4.00");
}

TEST_CASE("an estimate is shown with as many digits as its error has") {
  CHECK(estimate_text({0.3612, 0.0312}) == "0.361 ± 0.031");
  CHECK(estimate_text({12345.6, 120.0}) == "12,346 ± 120");
  CHECK(estimate_text({5.0, 0.0}) == "5.00");
  CHECK(estimate_text({std::nan(""), 0.0}) == "-");
}

/// All numbers of results except times.
std::vector<double> numbers_of(const std::vector<EntrantResult>& results) {
  std::vector<double> numbers;
  for (const EntrantResult& result : results) {
    for (const TrialResult& trial : result.trials) {
      numbers.insert(numbers.end(), trial.curve.begin(), trial.curve.end());
      numbers.insert(numbers.end(), {trial.reward, static_cast<double>(trial.features_found)});
    }
  }
  return numbers;
}

TEST_CASE("a study has the same result at 1 and 2 and 8 threads, that of its trials in order") {
  const Study study = small_study();
  std::vector<EntrantResult> alone;
  for (const Entrant& entrant : study.entrants) {
    alone.push_back({entrant, {}});
    for (std::uint64_t trial = 0; trial < 5; ++trial)
      alone.back().trials.push_back(run_trial(study.world(trial), entrant, trial));
  }
  for (const int threads : {1, 2, 8})
    inkling::test::with_threads(threads, [&] { CHECK(numbers_of(run_study(study)) == numbers_of(alone)); });
}

TEST_CASE("progress counts every round once") {
  std::atomic<std::int64_t> advanced = 0;
  static_cast<void>(run_study(small_study(), {.advance = [&](std::int64_t rounds) { advanced += rounds; }}));
  CHECK(advanced == rounds_of(small_study()));
  CHECK(rounds_of(small_study()) == 40 * 5 * 3);
}

TEST_CASE("a check that throws ends the study with its exception") {
  struct Stop {};
  Study study = small_study();
  for (Entrant& entrant : study.entrants) entrant.rounds = 700;
  CHECK_THROWS_AS(static_cast<void>(run_study(study, {.check_interruption = [] { throw Stop(); }})), Stop);
}

}  // namespace
}  // namespace inkling::bench
