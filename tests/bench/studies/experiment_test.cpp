#include "bench/studies/experiment.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include <doctest/doctest.h>

#include "bench/commands/simulate_options.hpp"
#include "bench/studies/summary.hpp"
#include "tests/bench/worlds/worlds.hpp"
#include "tests/support/with_threads.hpp"

namespace inkling::bench {
namespace {

using test::contestant;
using test::short_trial;
using test::small_world;

std::vector<Contestant> every_contestant() {
  std::vector<Contestant> all;
  for (const Preset& preset : all_presets()) all.push_back({preset});
  return all;
}

/// Every round of every trial, as the trace file would hold it.
std::string trace_of(const ExperimentOptions& options, int threads) {
  std::string trace;
  ExperimentListener listener;
  listener.trace_line = [](std::int64_t trial, const Contestant& who, const RoundRecord& record) {
    return trace_line(trial, who, record, TraceNaming::by_policy);
  };
  listener.write_trace = [&trace](const std::string& lines) { trace += lines; };
  inkling::test::with_threads(
      threads, [&] { static_cast<void>(run_experiment(options, every_contestant(), listener)); });
  return trace;
}

TEST_CASE("The trace of every policy has the same bytes at 1 and 2 and 8 threads") {
  const ExperimentOptions options{small_world(), short_trial(60), 9};
  const std::string trace = trace_of(options, 1);
  CHECK(std::ranges::count(trace, '\n') ==
        std::int64_t{60} * 9 * static_cast<std::int64_t>(all_presets().size()));
  CHECK(trace_of(options, 2) == trace);
  CHECK(trace_of(options, 8) == trace);
}

TEST_CASE("The mean and its standard error are those of the trials") {
  const ExperimentOptions options{small_world(), short_trial(50), 3};
  const std::vector<ContestantResult> results = run_experiment(options, {contestant("ff-oful")}, {});
  std::vector<double> regrets;
  for (std::uint64_t trial = 0; trial < 3; ++trial) {
    const World world = make_synthetic_world(options.world, options.trial.seed, trial);
    regrets.push_back(
        run_trial(world, contestant("ff-oful"), options.trial, trial, [](const RoundRecord&) {}).regret);
  }
  const double mean = (regrets[0] + regrets[1] + regrets[2]) / 3.0;
  double squares = 0.0;
  for (const double regret : regrets) squares += (regret - mean) * (regret - mean);
  REQUIRE(results.size() == 1);
  CHECK(results[0].regret.mean == doctest::Approx(mean).epsilon(1e-14));
  CHECK(results[0].regret.standard_error == doctest::Approx(std::sqrt(squares / 2.0 / 3.0)).epsilon(1e-12));
  CHECK(results[0].curve.back().mean == results[0].regret.mean);
}

TEST_CASE("Every round is reported once to whoever shows progress") {
  const ExperimentOptions options{small_world(), short_trial(700), 4};
  std::atomic<std::int64_t> reported = 0;
  ExperimentListener listener;
  listener.advance = [&](std::int64_t rounds) { reported += rounds; };
  static_cast<void>(run_experiment(options, {contestant("random"), contestant("oful")}, listener));
  CHECK(reported == 2 * 4 * 700);
}

TEST_CASE("An interruption ends the experiment with its exception") {
  struct Stop {};
  ExperimentListener listener;
  listener.check_interruption = [] { throw Stop(); };
  const ExperimentOptions options{small_world(), short_trial(700), 4};
  CHECK_THROWS_AS(static_cast<void>(run_experiment(options, {contestant("random")}, listener)), Stop);
}

TEST_CASE("A pool that somebody owns is searched in every trial") {
  const PoolMatrix pool(CsrMatrix(3, {0, 1, 2, 3}, {0, 1, 2}, {1.0F, 1.0F, 1.0F}));
  ExperimentOptions options{small_world(), short_trial(20), 4};
  options.trial.words_told = 1;
  options.pool = NamedPool{"three", pool.view()};
  ExperimentListener listener;
  listener.trace_line = [](std::int64_t, const Contestant&, const RoundRecord& record) {
    return std::to_string(record.play.document) + "\n";
  };
  std::string trace;
  listener.write_trace = [&](const std::string& lines) { trace += lines; };
  const std::vector<ContestantResult> results = run_experiment(options, {contestant("ff-oful")}, listener);
  CHECK(std::ranges::count(trace, '\n') == 80);
  CHECK(trace.find_first_not_of("012\n") == std::string::npos);
  CHECK(results[0].words.size() == 1);
}

TEST_CASE("Rescoring every document chooses as running scores do") {
  const ExperimentOptions options{small_world(), short_trial(200), 5};
  Contestant plain = contestant("ff-oful");
  plain.scoring = Scoring::rescoring;
  const std::vector<ContestantResult> results = run_experiment(options, {contestant("ff-oful"), plain}, {});
  CHECK(results[0].regret.mean == results[1].regret.mean);
  CHECK(results[0].reward.mean == results[1].reward.mean);
}

TEST_CASE("The tuning grid is the paper's and the best ridge of it is kept") {
  const std::vector<double> grid = tuning_grid();
  REQUIRE(grid.size() == 18);
  CHECK(grid.front() == 0.0078125);
  CHECK(grid.back() == 1024.0);
  std::vector<ContestantResult> results(3);
  for (std::size_t n = 0; n < 3; ++n) results[n].contestant = contestant(n < 2 ? "oful" : "random");
  results[0].regret.mean = 5.0;
  results[1].regret.mean = 4.0;
  results[1].contestant.ridge = 8.0;
  const std::vector<ContestantResult> best = best_ridges(results);
  REQUIRE(best.size() == 2);
  CHECK(best[0].contestant.ridge == 8.0);
  CHECK(best[1].contestant.preset.name == "random");
}

}  // namespace
}  // namespace inkling::bench
