#include "bench/simulation/experiment.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include "engine/core/compensated_sum.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kRoundsBetweenReports = 256;

/// What one trial of every contestant leaves behind.
struct TrialOfAll {
  std::vector<TrialResult> results;  // by contestant
  std::string trace;
};

TrialOfAll run_all(const ExperimentOptions& options, const std::vector<Contestant>& contestants,
                   const ExperimentListener& listener, std::int64_t trial) {
  const auto number = static_cast<std::uint64_t>(trial);
  const World world = options.pool ? make_world(options.pool->view, options.world, options.trial.seed, number)
                                   : make_synthetic_world(options.world, options.trial.seed, number);
  TrialOfAll all;
  for (const Contestant& contestant : contestants) {
    std::int64_t unreported = 0;
    all.results.push_back(run_trial(world, contestant, options.trial, number, [&](const RoundRecord& record) {
      if (listener.trace_line) all.trace += listener.trace_line(trial, contestant, record);
      if (++unreported < kRoundsBetweenReports) return;
      listener.advance(std::exchange(unreported, 0));
      listener.check_interruption();
    }));
    listener.advance(unreported);
  }
  return all;
}

Estimate estimate(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  CompensatedSum sum;
  for (const double value : values) sum.add(value);
  const double mean = sum.value() / count;
  CompensatedSum squares;
  for (const double value : values) squares.add((value - mean) * (value - mean));
  return {mean, values.size() < 2 ? 0.0 : std::sqrt(squares.value() / (count - 1.0) / count)};
}

template <typename Member>
Estimate estimate_of(const std::vector<TrialResult>& trials, Member member) {
  std::vector<double> values;
  values.reserve(trials.size());
  for (const TrialResult& trial : trials) values.push_back(static_cast<double>(member(trial)));
  return estimate(values);
}

ContestantResult summarise(const Contestant& contestant, const std::vector<TrialResult>& trials,
                           std::int64_t rounds) {
  ContestantResult result;
  result.contestant = contestant;
  result.regret = estimate_of(trials, [](const TrialResult& trial) { return trial.regret; });
  result.reward = estimate_of(trials, [](const TrialResult& trial) { return trial.reward; });
  result.features_found = estimate_of(trials, [](const TrialResult& trial) { return trial.features_found; });
  result.explored = estimate_of(trials, [](const TrialResult& trial) { return trial.explored; });
  for (const TrialResult& trial : trials) result.decision_seconds += trial.decision_seconds;
  const double decisions = static_cast<double>(rounds) * static_cast<double>(trials.size());
  if (result.decision_seconds > 0.0) result.decisions_per_second = decisions / result.decision_seconds;
  for (std::size_t point = 0; point < trials.front().curve.size(); ++point) {
    result.curve.push_back(
        estimate_of(trials, [point](const TrialResult& trial) { return trial.curve[point]; }));
  }
  result.words = trials.front().words;
  return result;
}

}  // namespace

std::vector<ContestantResult> run_experiment(const ExperimentOptions& options,
                                             const std::vector<Contestant>& contestants,
                                             const ExperimentListener& listener) {
  std::vector<std::vector<TrialResult>> by_contestant(contestants.size());
  std::int64_t next_trial = 0;
  // Twice as many trials under way as threads: so none idles while results wait for their turn, and memory is
  // bounded.
  const auto under_way = 2 * static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  // A trial takes the place of the one `under_way` before it, which has left the last stage by then. The
  // pipeline only passes numbers: what it holds itself is lost where a stage throws.
  std::vector<TrialOfAll> places(under_way);
  const auto place_of = [&](std::int64_t trial) -> TrialOfAll& {
    return places[static_cast<std::size_t>(trial) % under_way];
  };
  const auto begin_trial = [&](tbb::flow_control& control) -> std::int64_t {
    if (next_trial < options.trials) return next_trial++;
    control.stop();
    return 0;
  };
  const auto run_trials = [&](std::int64_t trial) {
    place_of(trial) = run_all(options, contestants, listener, trial);
    return trial;
  };
  const auto collect = [&](std::int64_t trial) {
    TrialOfAll& all = place_of(trial);
    if (listener.trace_line) listener.write_trace(all.trace);
    for (std::size_t n = 0; n < contestants.size(); ++n)
      by_contestant[n].push_back(std::move(all.results[n]));
  };
  tbb::parallel_pipeline(
      under_way, tbb::make_filter<void, std::int64_t>(tbb::filter_mode::serial_in_order, begin_trial) &
                     tbb::make_filter<std::int64_t, std::int64_t>(tbb::filter_mode::parallel, run_trials) &
                     tbb::make_filter<std::int64_t, void>(tbb::filter_mode::serial_in_order, collect));
  std::vector<ContestantResult> results;
  for (std::size_t n = 0; n < contestants.size(); ++n) {
    results.push_back(summarise(contestants[n], by_contestant[n], options.trial.rounds));
  }
  return results;
}

std::vector<double> tuning_grid() {
  std::vector<double> grid;
  for (int power = -7; power <= 10; ++power) grid.push_back(std::ldexp(1.0, power));
  return grid;
}

}  // namespace inkling::bench
