#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include "bench/studies/study.hpp"
#include "bench/studies/trial_log.hpp"
#include "engine/core/ordered_pipeline.hpp"
#include "engine/policy/policy_settings.hpp"
#include "io/search/events/setting_values.hpp"

namespace inkling::bench {
namespace {

/// Tuning trials have numbers of their own, because a trial that tunes must not count.
constexpr std::int64_t kFirstTuningTrial = 1'000'000;

constexpr std::int64_t kRoundsBetweenReports = 256;

std::string policy_settings_of(const Entrant& entrant) {
  std::string settings(entrant.preset.name);
  for (const PolicySetting& setting : policy_settings())
    settings += fmt::format(" {} {}", setting.name, inkling::setting_text(setting_in(entrant.options, setting)));
  for (const PresetSetting& setting : entrant.preset.settings) settings += fmt::format(" {} {}", setting.name, setting.value);
  return settings;
}

/// Everything of an entrant that its trials depend on.
std::string settings_of(const Entrant& entrant) {
  return fmt::format(
      "{}: {} scoring {} factor {} rounds {} T0 {} subset of size {} end {} from {} and {} "
      "guesses {} words {} seed {} program {}",
      entrant.name, policy_settings_of(entrant), scoring_name(entrant.options.scoring), static_cast<int>(entrant.options.factor),
      entrant.rounds, entrant.explore_rounds.value_or(-1), entrant.subset_size.value_or(-1),
      entrant.end ? entrant.end->share_found : 0.0, entrant.end ? entrant.end->least_rounds : 0,
      entrant.end ? entrant.end->more_rounds : 0, entrant.guesses_every, entrant.words_at_standstill, entrant.seed,
      entrant.program ? entrant.program->settings : "none");
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
      tuning.entrants.back().play_as(candidate);
    }
  }
  return tuning;
}

/// What one trial of all entrants leaves behind.
struct TrialOfAll {
  std::int64_t trial = 0;
  std::vector<TrialResult> results = {};  // by entrant
  std::string trace = {};
};

TrialOfAll run_one_trial(const Study& study, std::int64_t trial, const StudyRunOptions& options) {
  const auto number = static_cast<std::uint64_t>(trial);
  const World world = study.world(number);
  TrialOfAll all{.trial = trial};
  for (const Entrant& entrant : study.entrants) {
    std::int64_t unreported = 0;
    std::int64_t played = 0;
    const auto observe = [&](const RoundRecord& record) {
      played = record.round;
      if (options.trace_line) all.trace += options.trace_line(trial, entrant, record);
      if (++unreported < kRoundsBetweenReports) return;
      options.advance(std::exchange(unreported, 0));
      options.check_interruption();
    };
    all.results.push_back(run_trial(world, entrant, number, observe));
    options.advance(unreported + entrant.rounds - played);  // a search may end early
  }
  return all;
}

std::int64_t rounds_of_a_trial(const Study& study) {
  std::int64_t rounds = 0;
  for (const Entrant& entrant : study.entrants) rounds += entrant.rounds;
  return rounds;
}

/// The log of the study's trials; none if nothing is kept.
std::optional<TrialLog> log_of(const Study& study, const StudyRunOptions& options) {
  if (options.log.empty()) return std::nullopt;
  return std::make_optional<TrialLog>(fmt::format("{}{}.jsonl", options.log, study.name),
                                      options.build + "\n" + settings_of(study), study.entrants.size(), options.note);
}

/// The trials of a study by their place, of which some may be finished.
struct TrialsOfStudy {
  std::vector<std::vector<TrialResult>> results;  // by place and entrant
  std::vector<std::int64_t> missing = {};         // numbers of trials, ascending
};

/// Trials have numbers from `first` on.
TrialsOfStudy trials_left(const Study& study, std::int64_t first, FinishedTrials finished) {
  TrialsOfStudy trials{std::vector<std::vector<TrialResult>>(static_cast<std::size_t>(study.trials))};
  trials.missing.reserve(trials.results.size());
  for (std::size_t place = 0; place < trials.results.size(); ++place) {
    const std::int64_t number = first + static_cast<std::int64_t>(place);
    if (const auto found = finished.find(number); found != finished.end())
      trials.results[place] = std::move(found->second);
    else
      trials.missing.push_back(number);
  }
  return trials;
}

/// All trials by entrant, from the log where it has them.
std::vector<std::vector<TrialResult>> run_all(const Study& study, std::int64_t first, const StudyRunOptions& options) {
  std::optional<TrialLog> log = log_of(study, options);
  TrialsOfStudy trials = trials_left(study, first, log ? log->take_finished() : FinishedTrials());
  const auto done = study.trials - static_cast<std::int64_t>(trials.missing.size());
  options.skip(done * rounds_of_a_trial(study));
  auto next = trials.missing.begin();
  // Twice as many trials under way as threads: so none idles while outcomes wait for their turn, and memory
  // is bounded.
  std::vector<TrialOfAll> under_way(2 * static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()));
  ordered_pipeline(
      under_way,
      [&](TrialOfAll& all) {
        if (next == trials.missing.end()) return false;
        all.trial = *next++;
        return true;
      },
      [&](TrialOfAll& all) { all = run_one_trial(study, all.trial, options); },
      [&](TrialOfAll& all) {
        if (log) log->append(all.trial, all.results);
        if (options.trace_line) options.write_trace(all.trace);
        trials.results[static_cast<std::size_t>(all.trial - first)] = std::move(all.results);
      });
  std::vector<std::vector<TrialResult>> by_entrant(study.entrants.size());
  for (std::vector<TrialResult>& trial : trials.results)
    for (std::size_t n = 0; n < trial.size(); ++n) by_entrant[n].push_back(std::move(trial[n]));
  return by_entrant;
}

Tuning tuning_outcome(const Entrant& entrant, std::span<const std::vector<TrialResult>> by_candidate) {
  Tuning tuning{entrant.candidates, {}};
  for (const std::vector<TrialResult>& trials : by_candidate)
    tuning.regret.push_back(EntrantResult{entrant, std::nullopt, trials}.regret());
  const auto best = std::ranges::min_element(tuning.regret, {}, &Estimate::mean) - tuning.regret.begin();
  tuning.chosen = static_cast<std::size_t>(best);
  return tuning;
}

}  // namespace

std::int64_t rounds_of(const Study& study) {
  std::int64_t rounds = study.trials * rounds_of_a_trial(study);
  for (const Entrant& entrant : study.entrants) {
    const auto candidates = static_cast<std::int64_t>(entrant.candidates.size());
    rounds += study.tuning_trials * candidates * entrant.rounds;
  }
  return rounds;
}

StudyResult run_study(const Study& study, const StudyRunOptions& options) {
  StudyResult result{study, {}};
  for (const Entrant& entrant : study.entrants) result.entrants.push_back({entrant, std::nullopt, {}});

  if (const Study tuning = tuning_of(study); !tuning.entrants.empty()) {
    const std::vector<std::vector<TrialResult>> tried = run_all(tuning, kFirstTuningTrial, options);
    std::size_t at = 0;
    for (EntrantResult& tuned : result.entrants) {
      const std::size_t candidates = tuned.entrant.candidates.size();
      if (candidates == 0) continue;
      tuned.tuning = tuning_outcome(tuned.entrant, std::span(tried).subspan(at, candidates));
      tuned.entrant.play_as(tuned.tuning->best());
      at += candidates;
    }
  }

  Study played = study;
  for (std::size_t n = 0; n < played.entrants.size(); ++n) played.entrants[n] = result.entrants[n].entrant;
  std::vector<std::vector<TrialResult>> trials = run_all(played, 0, options);
  for (std::size_t n = 0; n < trials.size(); ++n) result.entrants[n].trials = std::move(trials[n]);
  return result;
}

}  // namespace inkling::bench
