#include "bench/studies/experiment.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

#include "bench/studies/ordered_trials.hpp"

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

template <typename Member>
Estimate over_trials(const std::vector<TrialResult>& trials, Member member) {
  std::vector<double> values;
  values.reserve(trials.size());
  for (const TrialResult& trial : trials) values.push_back(static_cast<double>(member(trial)));
  return estimate_of(values);
}

ContestantResult summarise(const Contestant& contestant, const std::vector<TrialResult>& trials,
                           std::int64_t rounds) {
  ContestantResult result;
  result.contestant = contestant;
  result.regret = over_trials(trials, [](const TrialResult& trial) { return trial.regret; });
  result.reward = over_trials(trials, [](const TrialResult& trial) { return trial.reward; });
  result.features_found = over_trials(trials, [](const TrialResult& trial) { return trial.features_found; });
  result.explored = over_trials(trials, [](const TrialResult& trial) { return trial.explored; });
  for (const TrialResult& trial : trials) result.decision_seconds += trial.decision_seconds;
  const double decisions = static_cast<double>(rounds) * static_cast<double>(trials.size());
  if (result.decision_seconds > 0.0) result.decisions_per_second = decisions / result.decision_seconds;
  for (std::size_t point = 0; point < trials.front().curve.size(); ++point) {
    result.curve.push_back(
        over_trials(trials, [point](const TrialResult& trial) { return trial.curve[point]; }));
  }
  result.words = trials.front().words;
  return result;
}

}  // namespace

std::vector<ContestantResult> run_experiment(const ExperimentOptions& options,
                                             const std::vector<Contestant>& contestants,
                                             const ExperimentListener& listener) {
  std::vector<std::vector<TrialResult>> by_contestant(contestants.size());
  run_in_order(
      0, options.trials, [&](std::int64_t trial) { return run_all(options, contestants, listener, trial); },
      [&](std::int64_t /*trial*/, TrialOfAll all) {
        if (listener.trace_line) listener.write_trace(all.trace);
        for (std::size_t n = 0; n < contestants.size(); ++n)
          by_contestant[n].push_back(std::move(all.results[n]));
      });
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
