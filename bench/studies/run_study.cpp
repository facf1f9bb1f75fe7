#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include "bench/studies/study.hpp"
#include "engine/core/errors.hpp"
#include "engine/core/ordered_pipeline.hpp"
#include "io/file/json_writer.hpp"
#include "io/file/output_file.hpp"

namespace inkling::bench {
namespace {

/// Trials that tune have numbers of their own: what is tuned upon does not count.
constexpr std::int64_t kFirstTuningTrial = 1'000'000;

constexpr std::int64_t kRoundsBetweenReports = 256;

using simdjson::dom::element;

std::string header_of(std::string_view settings) {
  JsonWriter json;
  json.begin_object().member("trials_of", settings).end_object();
  return json.take();
}

std::string line_of(const std::vector<TrialResult>& trial) {
  JsonWriter json;
  json.begin_array();
  for (const TrialResult& result : trial) {
    json.begin_object()
        .member("regret", result.regret)
        .member("reward", result.reward)
        .member("explored", result.explored)
        .member("decision_seconds", result.decision_seconds)
        .member("features_found", result.features_found);
    if (result.all_found_at) json.member("all_found_at", *result.all_found_at);
    if (result.coverage) {
      json.member("watched", result.coverage->rounds)
          .member("missed", result.coverage->missed)
          .member("undervalued", result.coverage->undervalued);
    }
    json.key("curve").begin_array();
    for (const double regret : result.curve) json.value(regret);
    json.end_array().end_object();
  }
  json.end_array();
  return json.take();
}

/// Throws simdjson_error where the object is not what `line_of` writes.
TrialResult result_of(element object) {
  TrialResult result;
  result.regret = object["regret"].get_double();
  result.reward = object["reward"].get_double();
  result.explored = object["explored"].get_int64();
  result.decision_seconds = object["decision_seconds"].get_double();
  result.features_found = object["features_found"].get_int64();
  std::int64_t found_at = 0;
  if (object["all_found_at"].get(found_at) == simdjson::SUCCESS) result.all_found_at = found_at;
  std::int64_t watched = 0;
  if (object["watched"].get(watched) == simdjson::SUCCESS) {
    result.coverage = {watched, object["missed"].get_int64(), object["undervalued"].get_int64()};
  }
  for (const element regret : object["curve"].get_array()) result.curve.push_back(regret.get_double());
  return result;
}

std::optional<std::vector<TrialResult>> trial_of(simdjson::dom::parser& parser, const std::string& line,
                                                 std::size_t entrants) {
  try {
    std::vector<TrialResult> trial;
    for (const element object : parser.parse(line).get_array()) trial.push_back(result_of(object));
    if (trial.size() == entrants) return trial;
  } catch (const simdjson::simdjson_error&) {  // not a line of ours, or cut off: the trial runs again
  }
  return std::nullopt;
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  if (const std::ifstream file(path, std::ios::binary); file) text << file.rdbuf();
  return std::move(text).str();
}

/// One file: a first line that says what its trials depend on, then a JSON object a trial, in order. A last
/// line that was cut off is dropped; a file of other settings, and what cannot be read, is started again: a log
/// only saves time. Words learned are not kept. Thread safety: one thread at a time.
class TrialLog {
 public:
  /// Reads what is there. `settings` holds everything that the trials depend on. Throws SystemError.
  TrialLog(std::string path, std::string_view settings, std::size_t entrants);

  /// By trial and entrant, those of earlier runs; hands them over once.
  [[nodiscard]] std::vector<std::vector<TrialResult>> take_finished() { return std::move(finished_); }

  /// The next trial is on disk when this returns, as far as the system tells. Throws SystemError.
  void append(const std::vector<TrialResult>& trial) { write(line_of(trial)); }

 private:
  void write(std::string line);
  void fail(int error, std::string_view what) const {
    if (error != 0) throw SystemError(path_, error, fmt::format("cannot {} the log of trials", what));
  }

  std::string path_;
  std::vector<std::vector<TrialResult>> finished_;
  Descriptor file_;
};

TrialLog::TrialLog(std::string path, std::string_view settings, std::size_t entrants)
    : path_(std::move(path)) {
  const std::string header = header_of(settings);
  const std::string text = text_of(path_);
  std::size_t good = text.starts_with(header + "\n") ? header.size() + 1 : 0;
  simdjson::dom::parser parser;
  for (std::size_t end = 0; good > 0 && (end = text.find('\n', good)) != std::string::npos; good = end + 1) {
    std::optional<std::vector<TrialResult>> trial = trial_of(parser, text.substr(good, end - good), entrants);
    if (!trial) break;
    finished_.push_back(*std::move(trial));
  }
  constexpr mode_t mode = 0666;
  file_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, mode));
  if (!file_.is_open()) fail(errno, "open");
  if (::ftruncate(file_.number(), static_cast<off_t>(good)) != 0) fail(errno, "shorten");
  if (good == 0) write(header);
}

void TrialLog::write(std::string line) {
  line += '\n';
  fail(WriteCalls::of_system().write_all(file_.number(), std::as_bytes(std::span(line))), "write");
}

std::string policy_settings_of(const Entrant& entrant) {
  const PolicyOptions& options = entrant.options;
  const SoftMarksOptions& soft = options.soft_marks;
  std::string settings = fmt::format("{} ridge {} scoring {} radius {} forced {} soft {} {} {}",
                                     entrant.preset.name, options.ridge, scoring_name(options.scoring),
                                     radius_name(options.radius), options.forced_exploration,
                                     soft.unmarked_precision, soft.marked_precision, soft.mark_probability);
  for (const PresetSetting& setting : entrant.preset.settings)
    settings += fmt::format(" {} {}", setting.name, setting.value);
  return settings;
}

/// Everything of an entrant that its trials depend on.
std::string settings_of(const Entrant& entrant) {
  const PolicyOptions& options = entrant.options;
  return fmt::format(
      "{}: {} rounds {} replacement {} noise {} norm {} delta {} factor {} c {} T0 {} "
      "subset {} of size {} coverage {} seed {}",
      entrant.name, policy_settings_of(entrant), entrant.rounds, options.with_replacement,
      options.confidence.noise, options.confidence.norm_bound, options.confidence.delta,
      static_cast<int>(options.factor), options.epoch_constant, entrant.explore_rounds.value_or(-1),
      fmt::join(options.given, " "), entrant.subset_size.value_or(-1), static_cast<int>(entrant.coverage),
      entrant.seed);
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
    const auto observe = [&](const RoundRecord& record) {
      if (options.trace_line) all.trace += options.trace_line(trial, entrant, record);
      if (++unreported < kRoundsBetweenReports) return;
      options.advance(std::exchange(unreported, 0));
      options.check_interruption();
    };
    all.results.push_back(run_trial(world, entrant, number, observe));
    options.advance(unreported);
  }
  return all;
}

std::int64_t rounds_of_a_trial(const Study& study) {
  std::int64_t rounds = 0;
  for (const Entrant& entrant : study.entrants) rounds += entrant.rounds;
  return rounds;
}

/// All trials by entrant, from the log where it has them.
std::vector<std::vector<TrialResult>> run_all(const Study& study, std::int64_t first,
                                              const StudyRunOptions& options) {
  std::vector<std::vector<TrialResult>> trials;
  std::optional<TrialLog> log;
  if (!options.log.empty()) {
    log.emplace(fmt::format("{}{}.jsonl", options.log, study.name), options.build + "\n" + settings_of(study),
                study.entrants.size());
    trials = log->take_finished();
    trials.resize(std::min(trials.size(), static_cast<std::size_t>(study.trials)));
  }
  const auto done = static_cast<std::int64_t>(trials.size());
  options.skip(done * rounds_of_a_trial(study));
  std::int64_t next = first + done;
  // Twice as many trials under way as threads: so none idles while outcomes wait for their turn, and memory
  // is bounded.
  std::vector<TrialOfAll> under_way(2 * static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()));
  ordered_pipeline(
      under_way,
      [&](TrialOfAll& all) {
        all.trial = next++;
        return all.trial < first + study.trials;
      },
      [&](TrialOfAll& all) { all = run_one_trial(study, all.trial, options); },
      [&](TrialOfAll& all) {
        if (log) log->append(all.results);
        if (options.trace_line) options.write_trace(all.trace);
        trials.push_back(std::move(all.results));
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
