// The unit of work of every figure: who plays, in which worlds, for how many trials; its results, and numbers
// that are drawn from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/studies/trial.hpp"
#include "bench/worlds/world.hpp"

namespace inkling::bench {

/// A mean over trials with its standard error.
struct Estimate {
  double mean = 0.0;
  double standard_error = 0.0;  ///< NaN for a single value
};

/// Requires: at least one value.
[[nodiscard]] Estimate estimate_of(std::span<const double> values);

/// Lifetime: `world` may lend what its maker owns; studies do not outlive the data of the paper.
struct Study {
  std::string name = {};  ///< unique among all studies of a figure; part of a file name: "main", "noise-0.1"
  /// Everything that shapes the worlds, as text: saved trials count only if it is unchanged.
  std::string world_settings = {};
  std::function<World(std::uint64_t trial)> world = {};
  std::int32_t features = 0;  ///< of the worlds' pools
  std::vector<Entrant> entrants = {};
  std::int64_t trials = 0;
  std::int64_t tuning_trials = 0;  ///< for each candidate of an entrant that is tuned
  /// Name and value of what shaped the worlds, as a reader sees it.
  std::vector<std::pair<std::string, std::string>> settings = {};
};

/// How an entrant's settings were found.
struct Tuning {
  std::vector<Candidate> candidates;
  std::vector<Estimate> regret;  ///< by candidate, over the tuning trials
  std::size_t chosen = 0;        ///< the candidate of least regret

  [[nodiscard]] const Candidate& best() const { return candidates[chosen]; }
  /// Whether its value is neither the least nor the largest of them.
  [[nodiscard]] bool strictly_inside() const;
};

/// One entrant over all trials of a study, in order of trial. Every entrant met the same worlds and draws.
struct EntrantResult {
  Entrant entrant;  ///< as it played
  std::optional<Tuning> tuning;
  std::vector<TrialResult> trials;

  [[nodiscard]] Estimate regret() const;
  [[nodiscard]] Estimate reward() const;
  [[nodiscard]] Estimate features_found() const;
  [[nodiscard]] Estimate explored() const;          ///< random rounds
  [[nodiscard]] Estimate decision_seconds() const;  ///< of a trial
  /// Regret summed up to each checkpoint of the trial.
  [[nodiscard]] std::vector<Estimate> curve() const;
};

struct StudyResult {
  Study study;
  std::vector<EntrantResult> entrants;  ///< as in the study

  /// Requires: there is one of this name.
  [[nodiscard]] const EntrantResult& of(std::string_view name) const;
};

/// A number of every trial, in order, and its mean.
[[nodiscard]] std::vector<double> by_trial(const EntrantResult& result, const std::function<double(const TrialResult&)>& number);
[[nodiscard]] Estimate estimate_over_trials(const EntrantResult& result, const std::function<double(const TrialResult&)>& number);

/// Mean of one minus that of the other, and mean of one over that of the other (by the delta method), with standard
/// errors over pairs. Requires: as many of each, at least one.
[[nodiscard]] Estimate difference_of(std::span<const double> one, std::span<const double> other);
[[nodiscard]] Estimate ratio_of(std::span<const double> one, std::span<const double> other);

/// The same trial by trial: both met the same worlds, so most chance cancels out.
[[nodiscard]] inline Estimate paired_difference(const EntrantResult& one, const EntrantResult& other,
                                                const std::function<double(const TrialResult&)>& number) {
  return difference_of(by_trial(one, number), by_trial(other, number));
}
[[nodiscard]] inline Estimate paired_ratio(const EntrantResult& one, const EntrantResult& other,
                                           const std::function<double(const TrialResult&)>& number) {
  return ratio_of(by_trial(one, number), by_trial(other, number));
}

/// The final regret of a trial: what most comparisons are about.
[[nodiscard]] inline double final_regret(const TrialResult& trial) { return trial.regret; }
[[nodiscard]] inline double final_reward(const TrialResult& trial) { return trial.reward; }
[[nodiscard]] inline double random_rounds(const TrialResult& trial) { return static_cast<double>(trial.explored); }

/// Regret summed up to a round, on straight lines between the checkpoints of the trial's curve.
/// Requires: the trial had `rounds` rounds, and 0 <= until <= rounds.
[[nodiscard]] double regret_until(const TrialResult& trial, std::int64_t rounds, double until);

/// Requires: at least one value.
[[nodiscard]] double median(std::vector<double> values);

/// Final regrets, ascending.
[[nodiscard]] std::vector<double> sorted_regrets(const EntrantResult& result);

/// Share of the trials in which all relevant features were marked by this round.
[[nodiscard]] Estimate found_all_by(const EntrantResult& result, std::int64_t round);

/// y = level + slope * x through the means over trials, which see the same x: each trial has a line of its
/// own, and the line through the means is the mean of the lines. Requires: by_trial as wide as x, two
/// different x.
struct StraightLine {
  Estimate level;
  Estimate slope;
};
[[nodiscard]] StraightLine mean_line(std::span<const double> x, const std::vector<std::vector<double>>& by_trial);

/// The exponent of the power law through the means over trials, its error by leaving out one trial at a time
/// (jackknife). Not finite if no such law can be fitted. Requires: by_trial as wide as x.
[[nodiscard]] Estimate growth_exponent(std::span<const double> x, const std::vector<std::vector<double>>& by_trial);

/// Functions are called from any thread, unless they say otherwise.
struct StudyRunOptions {
  /// The beginning of the names of files that keep finished trials, such as "kept/trials/sparse-"; empty: nothing is
  /// kept. No other process may write them meanwhile (WriterLock).
  std::string log = {};
  std::string build = {};  ///< which program it is: trials of another program are not taken over
  /// Called with a line about a damaged log. Called by the thread that runs the study.
  std::function<void(const std::string& text)> note = [](const std::string&) {};
  std::function<void()> check_interruption = [] {};  ///< throws to end the run
  /// Rounds that were played, and rounds of trials that an earlier run finished: of `rounds_of` in all.
  std::function<void(std::int64_t rounds)> advance = [](std::int64_t) {};
  std::function<void(std::int64_t rounds)> skip = [](std::int64_t) {};
  /// Empty if no trace is wanted: records then cost nothing.
  std::function<std::string(std::int64_t trial, const Entrant&, const RoundRecord&)> trace_line = {};
  /// Called in order of trial and, within a trial, of entrant; never by two threads at once.
  std::function<void(const std::string& lines)> write_trace = {};
};

/// The rounds of all policies in all trials, those that tune included.
[[nodiscard]] std::int64_t rounds_of(const Study& study);

/// First the trials that tune, then those that count, in parallel; what a log holds is not run again. The
/// outcome is the same at any number of threads, however often the run was stopped and whatever became of the log,
/// except decision_seconds; words learned are not logged. Throws SystemError if the log cannot be written.
[[nodiscard]] StudyResult run_study(const Study& study, const StudyRunOptions& options = {});

}  // namespace inkling::bench
