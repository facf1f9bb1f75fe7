// Who plays in which worlds, for how many trials; the results, and their means with standard errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "io/search/simulation/trial.hpp"

namespace inkling::bench {

/// A mean over trials with its standard error.
struct Estimate {
  double mean = 0.0;
  double standard_error = 0.0;  ///< NaN for a single value
};

/// Requires: at least one value.
[[nodiscard]] Estimate estimate_of(std::span<const double> values);

/// "0.36 ± 0.03", digits by the standard error.
[[nodiscard]] std::string estimate_text(const Estimate& estimate);

struct Study {
  std::function<World(std::uint64_t trial)> world = {};
  std::vector<Entrant> entrants = {};
  std::int64_t trials = 0;
};

/// One entrant over all trials of a study, in order of trial. Every entrant met the same worlds and draws.
struct EntrantResult {
  Entrant entrant;
  std::vector<TrialResult> trials;

  [[nodiscard]] Estimate regret() const;
  [[nodiscard]] Estimate reward() const;
  [[nodiscard]] Estimate features_found() const;
  [[nodiscard]] Estimate explored() const;  ///< random rounds
  /// Regret summed up to each checkpoint of the trial.
  [[nodiscard]] std::vector<Estimate> curve() const;
};

/// A number of every trial, in order, and its mean.
[[nodiscard]] std::vector<double> by_trial(const EntrantResult& result, const std::function<double(const TrialResult&)>& number);
[[nodiscard]] Estimate estimate_over_trials(const EntrantResult& result, const std::function<double(const TrialResult&)>& number);

/// Functions are called from any thread, unless they say otherwise.
struct StudyRunOptions {
  std::function<void()> check_interruption = [] {};  ///< throws to end the run
  /// Rounds that were played, of `rounds_of` in all.
  std::function<void(std::int64_t rounds)> advance = [](std::int64_t) {};
  /// Empty if no trace is wanted: records then cost nothing.
  std::function<std::string(std::int64_t trial, const Entrant&, const RoundRecord&)> trace_line = {};
  /// Called in order of trial and, within a trial, of entrant; never by two threads at once.
  std::function<void(const std::string& lines)> write_trace = {};
};

/// The rounds of all policies in all trials.
[[nodiscard]] std::int64_t rounds_of(const Study& study);

/// Runs trials in parallel; the results are in the order of the entrants. The outcome is the same at any number of threads,
/// except for times.
[[nodiscard]] std::vector<EntrantResult> run_study(const Study& study, const StudyRunOptions& options = {});

}  // namespace inkling::bench
