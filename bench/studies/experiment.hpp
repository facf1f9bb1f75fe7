// Many trials of many contestants, in parallel, with results that do not depend on how the work was shared
// out.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/studies/estimate.hpp"
#include "bench/studies/trial.hpp"
#include "bench/worlds/world.hpp"

namespace inkling::bench {

/// A pool that somebody else owns, with its name. Lifetime: lends the owner's memory.
struct NamedPool {
  std::string name;
  PoolView view;
};

struct ExperimentOptions {
  WorldOptions world;
  TrialOptions trial;
  std::int64_t trials = 10;
  std::optional<NamedPool> pool = {};  ///< in place of a synthetic one for each trial
};

/// One contestant over all trials; sums over the rounds of a trial, averaged over trials.
struct ContestantResult {
  Contestant contestant;
  Estimate regret;
  Estimate reward;
  Estimate features_found;
  Estimate explored;
  double decision_seconds = 0.0;  ///< summed over the trials
  double decisions_per_second = 0.0;
  std::vector<Estimate> curve;     ///< regret at each checkpoint
  std::vector<LearnedWord> words;  ///< of the first trial
};

/// What an experiment tells while it runs. `advance` is called from any thread; `trace` in order of trial
/// and, within a trial, of contestant, never by two threads at once.
struct ExperimentListener {
  std::function<void(std::int64_t rounds)> advance = [](std::int64_t) {};
  /// Called between rounds from any thread; throws to end the experiment.
  std::function<void()> check_interruption = [] {};
  /// Empty where no trace is wanted: records then cost nothing.
  std::function<std::string(std::int64_t trial, const Contestant&, const RoundRecord&)> trace_line;
  std::function<void(const std::string&)> write_trace;
};

/// Every contestant meets the same worlds, the same noise and the same seeds.
[[nodiscard]] std::vector<ContestantResult> run_experiment(const ExperimentOptions& options,
                                                           const std::vector<Contestant>& contestants,
                                                           const ExperimentListener& listener);

/// The ridges over which the paper tunes OFUL: 2^-7 ... 2^10.
[[nodiscard]] std::vector<double> tuning_grid();

}  // namespace inkling::bench
