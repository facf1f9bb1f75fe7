#include "bench/studies/simulation.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "bench/studies/figure_parts.hpp"
#include "bench/studies/run_study.hpp"
#include "io/cli/interruption.hpp"
#include "io/cli/progress.hpp"
#include "io/cli/thread_limit.hpp"
#include "io/file/json_writer.hpp"
#include "io/file/output_file.hpp"

namespace inkling::bench {
namespace {

std::string plain_ridge(const Contestant& contestant) {
  return contestant.preset.uses.ridge ? fmt::format("{:g}", contestant.ridge) : "–";
}

/// Pads by what a terminal shows, where one character may be several bytes.
std::string right_aligned(const std::string& text, std::size_t width) {
  const auto shown = static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
  return std::string(shown < width ? width - shown : 0, ' ') + text;
}

std::size_t widest_name(std::span<const EntrantResult> results) {
  std::size_t width = std::string_view("policy").size();
  for (const EntrantResult& result : results) width = std::max(width, result.entrant.name.size());
  return width;
}

/// Of choosing and learning, summed over the trials.
struct DecisionTime {
  double seconds = 0.0;
  double decisions_per_second = 0.0;
};

DecisionTime decision_time(const EntrantResult& result) {
  DecisionTime time;
  for (const TrialResult& trial : result.trials) time.seconds += trial.decision_seconds;
  const double decisions =
      static_cast<double>(result.entrant.options.rounds) * static_cast<double>(result.trials.size());
  if (time.seconds > 0.0) time.decisions_per_second = decisions / time.seconds;
  return time;
}

void write_words(const std::vector<LearnedWord>& words, const WordOf& word_of, JsonWriter& json) {
  json.key("words").begin_array();
  for (const LearnedWord& word : words) {
    json.begin_object().member("feature", word.feature);
    if (word_of) json.member("word", word_of(word.feature));
    json.member("weight", word.weight).end_object();
  }
  json.end_array();
}

/// Those that this policy looks at.
void write_settings(const Contestant& contestant, JsonWriter& json) {
  const Preset& preset = contestant.preset;
  if (!preset.learner) return;
  if (preset.uses.ridge) json.member("ridge", contestant.ridge);
  json.member("scoring", scoring_name(contestant.scoring));
  if (preset.uses.radius) json.member("radius", radius_name(contestant.radius));
  for (const PresetSetting& setting : preset.settings) json.member(setting.name, setting.value);
}

}  // namespace

StudyResult run_live(const Study& study, const LiveOptions& live) {
  std::optional<OutputFile> trace;
  StudyRunOptions options;
  if (live.trace) {
    trace.emplace(*live.trace);
    const TraceNaming naming = study.entrants.size() > 1 ? TraceNaming::by_policy : TraceNaming::anonymous;
    options.trace_line = [naming](std::int64_t trial, const Entrant& entrant, const RoundRecord& record) {
      return trace_line(trial, entrant.contestant, record, naming);
    };
    options.write_trace = [&trace](const std::string& lines) { trace->append(lines); };
  }
  Progress progress("rounds", static_cast<std::uint64_t>(rounds_of(study)));
  options.advance = [&progress](std::int64_t done) { progress.advance(static_cast<std::uint64_t>(done)); };
  options.check_interruption = throw_if_interrupted;
  StudyResult result = ThreadLimit(live.threads).run([&] { return run_study(study, options); });
  if (trace) trace->close();
  return result;
}

std::string contestant_name(const Contestant& contestant) {
  if (contestant.scoring == Scoring::automatic) return std::string(contestant.preset.name);
  return fmt::format("{} ({})", contestant.preset.name, scoring_name(contestant.scoring));
}

std::string result_json(const EntrantResult& result, const std::optional<NamedPool>& pool,
                        const WordOf& word_of) {
  const Contestant& contestant = result.entrant.contestant;
  const DecisionTime time = decision_time(result);
  const std::vector<LearnedWord>& words = result.trials.front().words;
  JsonWriter json;
  const auto estimate = [&](std::string_view name, const Estimate& value) {
    json.key(name).begin_object();
    json.member("mean", value.mean).member("stderr", value.standard_error).end_object();
  };
  json.begin_object().member("policy", contestant.preset.name);
  json.member("rounds", result.entrant.options.rounds).member("trials", result.trials.size());
  if (pool) {
    json.member("pool", pool->name);
    json.member("documents", pool->view.documents()).member("features", pool->view.features());
  }
  estimate("regret", result.regret());
  estimate("reward", result.reward());
  estimate("features_found", result.features_found());
  estimate("explored", result.explored());
  json.member("decision_seconds", time.seconds).member("decisions_per_second", time.decisions_per_second);
  write_settings(contestant, json);
  if (!words.empty()) write_words(words, word_of, json);
  json.end_object();
  return json.take();
}

std::string result_table(std::span<const EntrantResult> results, Colour colour) {
  const std::size_t name_width = widest_name(results);
  const Style style(colour);
  std::string table =
      style.bold(fmt::format("{:<{}}  {:>8}  {:>18}  {:>10}  {:>12}  {:>9}  {:>12}", "policy", name_width,
                             "ridge", "regret", "reward", "words marked", "at random", "decisions/s")) +
      "\n";
  for (std::size_t n = 0; n < results.size(); ++n) {
    const EntrantResult& result = results[n];
    const std::string name = fmt::format("{:<{}}", result.entrant.name, name_width);
    const Estimate regret = result.regret();
    table +=
        fmt::format("{}  {}  {}  {:>10.1f}  {:>12.1f}  {:>9.0f}  {:>12}\n", style.series(name, n),
                    right_aligned(plain_ridge(result.entrant.contestant), 8),
                    right_aligned(fmt::format("{:.1f} ± {:.1f}", regret.mean, regret.standard_error), 18),
                    result.reward().mean, result.features_found().mean, result.explored().mean,
                    short_count(decision_time(result).decisions_per_second));
  }
  return table;
}

std::string word_lines(std::span<const EntrantResult> results, const WordOf& word_of, Colour colour) {
  const Style style(colour);
  const std::size_t name_width = widest_name(results);
  std::string lines;
  for (std::size_t n = 0; n < results.size(); ++n) {
    const EntrantResult& result = results[n];
    if (!result.entrant.contestant.preset.learner) continue;
    std::string words;
    for (const LearnedWord& word : result.trials.front().words) {
      const std::string name = word_of ? word_of(word.feature) : fmt::format("#{}", word.feature);
      words += fmt::format("{}{} {:+.2f}", words.empty() ? "" : ", ", name, word.weight);
    }
    const std::string name = fmt::format("{:<{}}", result.entrant.name, name_width);
    lines += fmt::format("{}  {}\n", style.series(name, n), words.empty() ? "no words" : words);
  }
  return lines;
}

LineChart regret_chart(std::span<const EntrantResult> results, std::string_view title) {
  LineChart chart{std::string(title), "rounds", "regret", {}};
  for (const EntrantResult& result : results)
    chart.series.push_back(regret_curve(result.entrant.name, result));
  return chart;
}

std::string curves_csv(std::span<const EntrantResult> results) {
  std::string csv = "policy,ridge,round,regret,standard_error\n";
  for (const EntrantResult& result : results) {
    const std::vector<std::int64_t> rounds = checkpoints(result.entrant.options.rounds);
    const std::vector<Estimate> curve = result.curve();
    for (std::size_t point = 0; point < rounds.size(); ++point) {
      csv += fmt::format("{},{},{},{},{}\n", result.entrant.name, result.entrant.contestant.ridge,
                         rounds[point], curve[point].mean, curve[point].standard_error);
    }
  }
  return csv;
}

std::string trace_line(std::int64_t trial, const Contestant& contestant, const RoundRecord& record,
                       TraceNaming naming) {
  JsonWriter json;
  json.begin_object();
  if (naming == TraceNaming::by_policy) json.member("policy", contestant.preset.name);
  json.member("trial", trial)
      .member("round", record.round)
      .member("document", record.play.document)
      .member("explored", record.play.explored)
      .member("reward", record.reward)
      .member("regret", record.regret);
  json.key("new_features").begin_array();
  for (const FeatureId feature : record.new_features) json.value(feature);
  json.end_array().key("radius");
  if (record.play.radius) {
    json.value(*record.play.radius);
  } else {
    json.null();
  }
  json.end_object();
  return json.take() + "\n";
}

}  // namespace inkling::bench
