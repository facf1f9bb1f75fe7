#include "bench/studies/workbench.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "bench/studies/ordered_trials.hpp"
#include "bench/studies/trial_log.hpp"
#include "engine/core/errors.hpp"
#include "io/file/output_file.hpp"

namespace inkling::bench {
namespace {

/// Trials that tune have numbers of their own: what is tuned upon does not count.
constexpr std::int64_t kFirstTuningTrial = 1'000'000;

constexpr std::int64_t kRoundsBetweenQuestions = 256;

/// A model of all features keeps one matrix: of features or, where they are fewer, of the rounds.
double expected_seconds_of(const Entrant& entrant, std::int32_t features) {
  constexpr double any_round = 8e-6;
  constexpr double each_feature = 1e-7;
  constexpr double each_entry = 0.4e-9;
  const auto rounds = static_cast<double>(entrant.options.rounds);
  if (entrant.contestant.preset.scope != FeatureScope::Kind::all) return rounds * any_round;
  const double side = std::min(static_cast<double>(features), rounds);
  return rounds * (any_round + each_feature * features + each_entry * side * side);
}

std::string joined(const std::vector<FeatureId>& features) {
  return fmt::format("{}", fmt::join(features, " "));
}

std::string settings_of(const Contestant& contestant) {
  const SoftMarksOptions& soft = contestant.soft_marks;
  std::string settings = fmt::format(
      "{} ridge {} scoring {} radius {} forced {} soft {} {} {}", contestant.preset.name, contestant.ridge,
      scoring_name(contestant.scoring), radius_name(contestant.radius), contestant.forced_exploration,
      soft.unmarked_precision, soft.marked_precision, soft.mark_probability);
  for (const PresetSetting& setting : contestant.preset.settings) {
    settings += fmt::format(" {} {}", setting.name, setting.value);
  }
  return settings;
}

/// Everything of an entrant that its trials depend on.
std::string settings_of(const Entrant& entrant) {
  const TrialOptions& options = entrant.options;
  return fmt::format(
      "{}: {} rounds {} replacement {} noise {} norm {} delta {} factor {} c {} T0 {} "
      "subset {} of size {} coverage {} seed {}",
      entrant.name, settings_of(entrant.contestant), options.rounds, options.with_replacement,
      options.confidence.noise, options.confidence.norm_bound, options.confidence.delta,
      static_cast<int>(options.factor), options.epoch_constant, options.explore_rounds.value_or(-1),
      joined(options.subset), options.subset_size.value_or(-1), static_cast<int>(options.coverage),
      options.seed);
}

std::string settings_of(const Study& study) {
  std::string settings = study.world_settings;
  for (const Entrant& entrant : study.entrants) settings += "\n" + settings_of(entrant);
  return settings;
}

/// The entrants of the tuning trials: each tuned one as each of its candidates, in that order.
Study tuning_of(const Study& study) {
  Study tuning = study;
  tuning.name += "-tuning";
  tuning.trials = study.tuning_trials;
  tuning.entrants.clear();
  for (const Entrant& entrant : study.entrants) {
    for (const Candidate& candidate : entrant.candidates) {
      tuning.entrants.push_back(entrant);
      tuning.entrants.back().name += fmt::format(" at {}", candidate.label);
      tuning.entrants.back().contestant = candidate.contestant;
    }
  }
  return tuning;
}

double seconds_a_trial(const Study& study) {
  double seconds = 0.0;
  for (const Entrant& entrant : study.entrants) seconds += expected_seconds_of(entrant, study.features);
  return seconds;
}

std::vector<TrialResult> run_one_trial(const Study& study, std::int64_t trial,
                                       const WorkbenchOptions& options) {
  const auto number = static_cast<std::uint64_t>(trial);
  const World world = study.world(number);
  std::vector<TrialResult> results;
  results.reserve(study.entrants.size());
  for (const Entrant& entrant : study.entrants) {
    std::int64_t rounds = 0;
    results.push_back(run_trial(world, entrant.contestant, entrant.options, number, [&](const RoundRecord&) {
      if (++rounds % kRoundsBetweenQuestions == 0) options.check_interruption();
    }));
    options.advance(expected_seconds_of(entrant, study.features));
  }
  return results;
}

/// All trials by entrant, from the log where it has them.
std::vector<std::vector<TrialResult>> run_all(std::string_view figure, const Study& study, std::int64_t first,
                                              const WorkbenchOptions& options) {
  TrialLog log(fmt::format("{}/{}-{}.jsonl", options.trials_folder, figure, study.name),
               options.build + "\n" + settings_of(study), study.entrants.size());
  std::vector<std::vector<TrialResult>> trials = log.take_finished();
  if (trials.size() > static_cast<std::size_t>(study.trials)) {
    trials.resize(static_cast<std::size_t>(study.trials));
  }
  const auto done = static_cast<std::int64_t>(trials.size());
  options.skip(static_cast<double>(done) * seconds_a_trial(study));
  run_in_order(
      first + done, study.trials - done,
      [&](std::int64_t trial) { return run_one_trial(study, trial, options); },
      [&](std::int64_t /*trial*/, std::vector<TrialResult> results) {
        log.append(results);
        trials.push_back(std::move(results));
      });
  std::vector<std::vector<TrialResult>> by_entrant(study.entrants.size());
  for (std::vector<TrialResult>& trial : trials) {
    for (std::size_t n = 0; n < trial.size(); ++n) by_entrant[n].push_back(std::move(trial[n]));
  }
  return by_entrant;
}

Tuning tuning_outcome(const Entrant& entrant, std::span<const std::vector<TrialResult>> by_candidate) {
  Tuning tuning{entrant.candidates, {}};
  for (const std::vector<TrialResult>& trials : by_candidate) {
    tuning.regret.push_back(EntrantResult{entrant, std::nullopt, trials}.regret());
  }
  const auto best = std::ranges::min_element(tuning.regret, {}, &Estimate::mean) - tuning.regret.begin();
  tuning.chosen = static_cast<std::size_t>(best);
  return tuning;
}

}  // namespace

double expected_seconds(const Study& study) {
  return static_cast<double>(study.trials) * seconds_a_trial(study) +
         static_cast<double>(study.tuning_trials) * seconds_a_trial(tuning_of(study));
}

Workbench::Workbench(WorkbenchOptions options) : options_(std::move(options)) {
  make_folder(options_.trials_folder);
}

StudyResult Workbench::run(std::string_view figure, const Study& study) {
  StudyResult result{study, {}};
  for (const Entrant& entrant : study.entrants) result.entrants.push_back({entrant, std::nullopt, {}});

  if (const Study tuning = tuning_of(study); !tuning.entrants.empty()) {
    const std::vector<std::vector<TrialResult>> tried = run_all(figure, tuning, kFirstTuningTrial, options_);
    std::size_t at = 0;
    for (EntrantResult& tuned : result.entrants) {
      const std::size_t candidates = tuned.entrant.candidates.size();
      if (candidates == 0) continue;
      tuned.tuning = tuning_outcome(tuned.entrant, std::span(tried).subspan(at, candidates));
      tuned.entrant.contestant = tuned.tuning->best().contestant;
      at += candidates;
    }
  }

  Study played = study;
  for (std::size_t n = 0; n < played.entrants.size(); ++n) played.entrants[n] = result.entrants[n].entrant;
  std::vector<std::vector<TrialResult>> trials = run_all(figure, played, 0, options_);
  for (std::size_t n = 0; n < trials.size(); ++n) result.entrants[n].trials = std::move(trials[n]);
  return result;
}

}  // namespace inkling::bench
