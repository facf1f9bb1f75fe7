// The unit of work of every figure: who plays, in which worlds, for how many trials.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/studies/estimate.hpp"
#include "bench/studies/trial.hpp"
#include "bench/worlds/world.hpp"

namespace inkling::bench {

/// One way in which an entrant may play, of those among which its tuning chooses.
struct Candidate {
  std::string label;   ///< "2^-5", "50 directions at 2^-5"
  double value = 0.0;  ///< of the setting that a plot of the tuning has as its x
  Contestant contestant;
};

/// One line of a plot: a policy with all its settings.
struct Entrant {
  std::string name;  ///< in plots and files; unique in its study: "oful", "T0 = 64"
  Contestant contestant;
  TrialOptions options;
  /// Where not empty, `contestant` is not looked at: each of these is tried in trials of their own, and the
  /// one of least mean regret plays in the trials that count. By value, ascending.
  std::vector<Candidate> candidates = {};
};

/// Lifetime: `world` may lend what its maker owns; studies do not outlive the data of the paper.
struct Study {
  std::string name = {};  ///< unique among all studies of a figure; part of a file name: "main", "noise-0.1"
  /// Everything that shapes the worlds, as text: saved trials count only where this is still the same.
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
  Entrant entrant;  ///< with the contestant that played
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

/// Mean of `number` over all trials.
[[nodiscard]] Estimate estimate_over_trials(const EntrantResult& result,
                                            const std::function<double(const TrialResult&)>& number);

/// Mean of one minus the mean of the other, with the standard error of the difference trial by trial: both met
/// the same worlds, so most chance cancels out. Requires: as many trials of each.
[[nodiscard]] Estimate paired_difference(const EntrantResult& one, const EntrantResult& other,
                                         const std::function<double(const TrialResult&)>& number);

/// mean(one) / mean(other) by the delta method over pairs of trials. Requires: as many trials of each.
[[nodiscard]] Estimate paired_ratio(const EntrantResult& one, const EntrantResult& other,
                                    const std::function<double(const TrialResult&)>& number);

/// The final regret of a trial: what most comparisons are about.
[[nodiscard]] inline double final_regret(const TrialResult& trial) { return trial.regret; }
[[nodiscard]] inline double final_reward(const TrialResult& trial) { return trial.reward; }
[[nodiscard]] inline double random_rounds(const TrialResult& trial) {
  return static_cast<double>(trial.explored);
}

}  // namespace inkling::bench
