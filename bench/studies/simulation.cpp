#include "bench/studies/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "engine/policy/policy_settings.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/base/system/interruption.hpp"
#include "io/doors/cli/progress.hpp"

namespace inkling::bench {
namespace {

std::string plain_ridge(const Entrant& entrant) {
  return entrant.preset.uses.ridge ? fmt::format("{:g}", entrant.options.ridge) : "–";
}

/// Pads by the width that a terminal shows; one character may be several bytes.
std::string right_aligned(const std::string& text, std::size_t width) {
  const std::size_t shown = utf8_count(text);
  return std::string(shown < width ? width - shown : 0, ' ') + text;
}

std::size_t widest_name(std::span<const EntrantResult> results) {
  std::size_t width = std::string_view("policy").size();
  for (const EntrantResult& result : results) width = std::max(width, result.entrant.name.size());
  return width;
}

/// Seconds of choosing and learning, summed over the trials.
double decision_seconds(const EntrantResult& result) {
  double seconds = 0.0;
  for (const TrialResult& trial : result.trials) seconds += trial.decision_seconds;
  return seconds;
}

double decisions_per_second(const EntrantResult& result) {
  const double seconds = decision_seconds(result);
  const double decisions = static_cast<double>(result.entrant.rounds) * static_cast<double>(result.trials.size());
  return seconds > 0.0 ? decisions / seconds : 0.0;
}

/// The longest time that a round of any trial took to choose and to learn.
double slowest_decision(const EntrantResult& result) {
  return std::ranges::max(result.trials, {}, &TrialResult::slowest_seconds).slowest_seconds;
}

void write_words(const std::vector<WeighedWord>& words, const WordOf& word_of, JsonWriter& json) {
  json.key("words").begin_array();
  for (const WeighedWord& word : words) {
    json.begin_object().member("feature", word.feature);
    if (word_of) json.member("word", word_of(word.feature));
    json.member("weight", word.weight).end_object();
  }
  json.end_array();
}

/// How many wanted documents a trial showed: each gave a reward of 1, and all others -1.
double wanted_in(const Entrant& entrant, const TrialResult& trial) {
  return 0.5 * (static_cast<double>(entrant.rounds) + trial.reward);
}

struct WantedShown {
  Estimate shown = {};
  double least = 0.0;
  double most = 0.0;
};

WantedShown wanted_shown(const EntrantResult& result) {
  std::vector<double> shown;
  shown.reserve(result.trials.size());
  for (const TrialResult& trial : result.trials) shown.push_back(wanted_in(result.entrant, trial));
  const auto [least, most] = std::ranges::minmax(shown);
  return {estimate_of(shown), least, most};
}

void write_wanted(const EntrantResult& result, JsonWriter& json) {
  const WantedShown wanted = wanted_shown(result);
  json.key("wanted_shown").begin_object();
  json.member("mean", wanted.shown.mean).member("stderr", wanted.shown.standard_error);
  json.member("least", wanted.least).member("most", wanted.most).end_object();
}

/// If each document is shown once and is wanted or not, the round of every find of every trial.
void write_finds(const EntrantResult& result, JsonWriter& json) {
  if (!std::ranges::all_of(result.trials, [](const TrialResult& trial) { return trial.finds.has_value(); })) return;
  json.key("rounds_of_finds").begin_array();
  for (const TrialResult& trial : result.trials) {
    json.begin_array();
    for (const std::int64_t round : trial.finds->at) json.value(round);
    json.end_array();
  }
  json.end_array();
}

/// The settings that this policy uses.
void write_settings(const Entrant& entrant, JsonWriter& json) {
  const Preset& preset = entrant.preset;
  if (!preset.learner) return;
  if (preset.uses.ridge) json.member("ridge", entrant.options.ridge);
  json.member("scoring", scoring_name(entrant.options.scoring));
  if (preset.uses.radius) json.member("radius", radius_name(entrant.options.radius));
  for (const PresetSetting& setting : preset.settings) json.member(setting.name, setting.value);
}

/// What distinguishes the lines of one entrant from those of the others.
TracedEntrant told_apart(const Study& study, const Entrant& entrant) {
  if (study.entrants.size() == 1) return {};
  const auto same =
      std::ranges::count_if(study.entrants, [&](const Entrant& other) { return other.preset.name == entrant.preset.name; });
  return {entrant.preset.name, same > 1 ? scoring_name(entrant.options.scoring) : ""};
}

}  // namespace

std::vector<EntrantResult> run_live(const Study& study, int threads, const std::optional<std::string>& trace_path) {
  std::optional<OutputFile> trace;
  StudyRunOptions options;
  if (trace_path) {
    trace.emplace(*trace_path);
    options.trace_line = [&study](std::int64_t trial, const Entrant& entrant, const RoundRecord& record) {
      return trace_line(trial, told_apart(study, entrant), record);
    };
    options.write_trace = [&trace](const std::string& lines) { trace->append(lines); };
  }
  Progress progress("rounds", static_cast<std::uint64_t>(rounds_of(study)));
  options.advance = [&progress](std::int64_t done) { progress.advance(static_cast<std::uint64_t>(done)); };
  options.check_interruption = throw_if_interrupted;
  std::vector<EntrantResult> results = ThreadLimit(threads).run([&] { return run_study(study, options); });
  if (trace) trace->close();
  return results;
}

std::string result_json(const EntrantResult& result, const std::optional<SearchedPool>& searched, RewardKind reward) {
  const Entrant& entrant = result.entrant;
  const std::vector<WeighedWord>& words = result.trials.front().words;
  JsonWriter json;
  const auto estimate = [&](std::string_view name, const Estimate& value) {
    json.key(name).begin_object();
    json.member("mean", value.mean).member("stderr", value.standard_error).end_object();
  };
  json.begin_object().member("policy", entrant.preset.name);
  json.member("rounds", entrant.rounds).member("trials", result.trials.size());
  if (searched) {
    const PoolView view = searched->pool.view();
    json.member("pool", searched->pool.path());
    json.member("documents", view.documents()).member("features", view.features());
  }
  estimate("regret", result.regret());
  estimate("reward", result.reward());
  estimate("features_found", result.features_found());
  estimate("explored", result.explored());
  if (reward == RewardKind::label) write_wanted(result, json);
  write_finds(result, json);
  json.member("decision_seconds", decision_seconds(result));
  json.member("decisions_per_second", decisions_per_second(result));
  json.member("slowest_decision_seconds", slowest_decision(result));
  write_settings(entrant, json);
  if (!words.empty()) write_words(words, searched ? searched->word_of() : WordOf(), json);
  json.end_object();
  return json.take();
}

std::string with_error(const Estimate& estimate) {
  if (!std::isfinite(estimate.standard_error)) return fmt::format("{:.1f}", estimate.mean);
  return fmt::format("{:.1f} ± {:.1f}", estimate.mean, estimate.standard_error);
}

std::string result_table(std::span<const EntrantResult> results, Colour colour) {
  const std::size_t name_width = widest_name(results);
  const Style style(colour);
  std::string table = style.bold(fmt::format("{:<{}}  {:>8}  {:>18}  {:>10}  {:>12}  {:>9}  {:>12}", "policy", name_width,
                                             "ridge", "regret", "reward", "words marked", "at random", "decisions/s")) +
                      "\n";
  for (std::size_t n = 0; n < results.size(); ++n) {
    const EntrantResult& result = results[n];
    const std::string name = fmt::format("{:<{}}", result.entrant.name, name_width);
    table += fmt::format("{}  {}  {}  {:>10.1f}  {:>12.1f}  {:>9.0f}  {:>12}\n", style.series(name, n),
                         right_aligned(plain_ridge(result.entrant), 8), right_aligned(with_error(result.regret()), 18),
                         result.reward().mean, result.features_found().mean, result.explored().mean,
                         short_count(decisions_per_second(result)));
  }
  return table;
}

std::string wanted_lines(std::span<const EntrantResult> results, std::optional<std::int64_t> in_pool, Colour colour) {
  const Style style(colour);
  const std::size_t name_width = widest_name(results);
  std::string lines =
      style.bold(fmt::format("Wanted documents in {} rounds{}", digit_groups(results.front().entrant.rounds),
                             in_pool ? fmt::format("; the pool holds {}", digit_groups(*in_pool)) : std::string()));
  lines += "\n";
  for (std::size_t n = 0; n < results.size(); ++n) {
    const EntrantResult& result = results[n];
    const WantedShown wanted = wanted_shown(result);
    const double share = wanted.shown.mean / static_cast<double>(result.entrant.rounds);
    lines +=
        fmt::format("{}  {:>8.1f}  {:>4.0f} % of those shown",
                    style.series(fmt::format("{:<{}}", result.entrant.name, name_width), n), wanted.shown.mean, 100.0 * share);
    if (result.trials.size() > 1) lines += fmt::format("; {:.0f} to {:.0f} in a trial", wanted.least, wanted.most);
    lines += "\n";
  }
  return lines;
}

std::optional<std::int64_t> wanted_documents(const std::optional<SearchedPool>& searched) {
  if (!searched || !searched->topics || !searched->topics->wanted) return std::nullopt;
  return std::ranges::count(searched->topics->of_documents, *searched->topics->wanted);
}

LineChart regret_chart(std::span<const EntrantResult> results, std::string title) {
  constexpr double band = 1.96;  // half the width of a 95 % band, in standard errors
  LineChart chart{.title = std::move(title), .x_label = "rounds", .y_label = "regret"};
  for (const EntrantResult& result : results) {
    Series& line =
        chart.series.emplace_back(Series{.name = result.entrant.name, .x = {0.0}, .y = {0.0}, .low = {0.0}, .high = {0.0}});
    const std::vector<std::int64_t> rounds = checkpoints(result.entrant.rounds);
    const std::vector<Estimate> curve = result.curve();
    for (std::size_t n = 0; n < rounds.size(); ++n) {
      line.x.push_back(static_cast<double>(rounds[n]));
      line.y.push_back(curve[n].mean);
      line.low.push_back(curve[n].mean - band * curve[n].standard_error);
      line.high.push_back(curve[n].mean + band * curve[n].standard_error);
    }
  }
  return chart;
}

std::string word_lines(std::span<const EntrantResult> results, const WordOf& word_of, Colour colour) {
  const Style style(colour);
  const std::size_t name_width = widest_name(results);
  std::string lines;
  for (std::size_t n = 0; n < results.size(); ++n) {
    const EntrantResult& result = results[n];
    if (!result.entrant.preset.learner) continue;
    std::string words;
    for (const WeighedWord& word : result.trials.front().words) {
      const std::string name = word_of ? word_of(word.feature) : fmt::format("#{}", word.feature);
      words += fmt::format("{}{} {:+.2f}", words.empty() ? "" : ", ", visible_text(name), word.weight);
    }
    const std::string name = fmt::format("{:<{}}", result.entrant.name, name_width);
    lines += fmt::format("{}  {}\n", style.series(name, n), words.empty() ? "no words" : words);
  }
  return lines;
}

std::string curves_csv(std::span<const EntrantResult> results) {
  std::string csv = "policy,ridge,round,regret,standard_error\n";
  for (const EntrantResult& result : results) {
    const std::vector<std::int64_t> rounds = checkpoints(result.entrant.rounds);
    const std::vector<Estimate> curve = result.curve();
    for (std::size_t point = 0; point < rounds.size(); ++point) {
      const double error = curve[point].standard_error;
      csv += fmt::format("{},{},{},{},{}\n", result.entrant.name, result.entrant.options.ridge, rounds[point], curve[point].mean,
                         std::isfinite(error) ? fmt::format("{}", error) : std::string());
    }
  }
  return csv;
}

std::string trace_line(std::int64_t trial, const TracedEntrant& entrant, const RoundRecord& record) {
  JsonWriter json;
  json.begin_object();
  if (!entrant.policy.empty()) json.member("policy", entrant.policy);
  if (!entrant.scoring.empty()) json.member("scoring", entrant.scoring);
  json.member("trial", trial)
      .member("round", record.round)
      .member("document", record.play.document)
      .member("explored", record.play.explored)
      .member("reward", record.reward)
      .member("regret", record.regret);
  json.key("new_features").begin_array();
  for (const FeatureId feature : record.new_features) json.value(feature);
  json.end_array().member("radius", record.play.radius).end_object();
  return json.take() + "\n";
}

}  // namespace inkling::bench
