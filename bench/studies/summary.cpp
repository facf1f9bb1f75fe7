#include "bench/studies/summary.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "io/cli/progress.hpp"
#include "io/file/json_writer.hpp"

namespace inkling::bench {
namespace {

/// Half the width of a 95 % band, in standard errors.
constexpr double kBand = 1.96;

/// The preset's name, with what tells this contestant from another of the same preset.
std::string display_name(const ContestantResult& result) {
  std::string name(result.contestant.preset.name);
  const Scoring scoring = result.contestant.scoring;
  if (scoring != Scoring::automatic) name += fmt::format(" ({})", scoring_name(scoring));
  return name;
}

std::string ridge_text(const Contestant& contestant) {
  return contestant.preset.uses.ridge ? fmt::format("{:g}", contestant.ridge) : "–";
}

/// Pads by what a terminal shows, where one character may be several bytes.
std::string right_aligned(const std::string& text, std::size_t width) {
  const auto shown = static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
  return std::string(shown < width ? width - shown : 0, ' ') + text;
}

std::size_t widest_name(const std::vector<ContestantResult>& results) {
  std::size_t width = std::string_view("policy").size();
  for (const ContestantResult& result : results) width = std::max(width, display_name(result).size());
  return width;
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

std::string result_json(const ContestantResult& result, const ExperimentOptions& options,
                        const WordOf& word_of) {
  JsonWriter json;
  const auto estimate = [&](std::string_view name, const Estimate& value) {
    json.key(name)
        .begin_object()
        .member("mean", value.mean)
        .member("stderr", value.standard_error)
        .end_object();
  };
  json.begin_object()
      .member("policy", result.contestant.preset.name)
      .member("rounds", options.trial.rounds)
      .member("trials", options.trials);
  if (options.pool) {
    json.member("pool", options.pool->name)
        .member("documents", options.pool->view.documents())
        .member("features", options.pool->view.features());
  }
  estimate("regret", result.regret);
  estimate("reward", result.reward);
  estimate("features_found", result.features_found);
  estimate("explored", result.explored);
  json.member("decision_seconds", result.decision_seconds)
      .member("decisions_per_second", result.decisions_per_second);
  write_settings(result.contestant, json);
  if (!result.words.empty()) write_words(result.words, word_of, json);
  json.end_object();
  return json.take();
}

std::string result_table(const std::vector<ContestantResult>& results, Colour colour) {
  const std::size_t name_width = widest_name(results);
  const Style style(colour);
  std::string table =
      style.bold(fmt::format("{:<{}}  {:>8}  {:>18}  {:>10}  {:>12}  {:>9}  {:>12}", "policy", name_width,
                             "ridge", "regret", "reward", "words marked", "at random", "decisions/s")) +
      "\n";
  for (std::size_t n = 0; n < results.size(); ++n) {
    const ContestantResult& result = results[n];
    const std::string name = fmt::format("{:<{}}", display_name(result), name_width);
    const std::string regret =
        fmt::format("{:.1f} ± {:.1f}", result.regret.mean, result.regret.standard_error);
    table += fmt::format("{}  {}  {}  {:>10.1f}  {:>12.1f}  {:>9.0f}  {:>12}\n", style.series(name, n),
                         right_aligned(ridge_text(result.contestant), 8), right_aligned(regret, 18),
                         result.reward.mean, result.features_found.mean, result.explored.mean,
                         short_count(result.decisions_per_second));
  }
  return table;
}

std::string word_lines(const std::vector<ContestantResult>& results, const WordOf& word_of, Colour colour) {
  const Style style(colour);
  const std::size_t name_width = widest_name(results);
  std::string lines;
  for (std::size_t n = 0; n < results.size(); ++n) {
    if (!results[n].contestant.preset.learner) continue;
    std::string words;
    for (const LearnedWord& word : results[n].words) {
      const std::string name = word_of ? word_of(word.feature) : fmt::format("#{}", word.feature);
      words += fmt::format("{}{} {:+.2f}", words.empty() ? "" : ", ", name, word.weight);
    }
    const std::string name = fmt::format("{:<{}}", display_name(results[n]), name_width);
    lines += fmt::format("{}  {}\n", style.series(name, n), words.empty() ? "no words" : words);
  }
  return lines;
}

LineChart regret_chart(const std::vector<ContestantResult>& results, const ExperimentOptions& options,
                       std::string_view title) {
  LineChart chart{std::string(title), "rounds", "regret", {}};
  for (const ContestantResult& result : results) {
    Series series{display_name(result), {0.0}, {0.0}, {0.0}, {0.0}};
    for (const std::int64_t round : checkpoints(options.trial.rounds))
      series.x.push_back(static_cast<double>(round));
    for (const Estimate& point : result.curve) {
      series.y.push_back(point.mean);
      series.low.push_back(point.mean - kBand * point.standard_error);
      series.high.push_back(point.mean + kBand * point.standard_error);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::string curves_csv(const std::vector<ContestantResult>& results, const ExperimentOptions& options) {
  std::string csv = "policy,ridge,round,regret,standard_error\n";
  const std::vector<std::int64_t> rounds = checkpoints(options.trial.rounds);
  for (const ContestantResult& result : results) {
    for (std::size_t point = 0; point < rounds.size(); ++point) {
      csv += fmt::format("{},{},{},{},{}\n", display_name(result), result.contestant.ridge, rounds[point],
                         result.curve[point].mean, result.curve[point].standard_error);
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
