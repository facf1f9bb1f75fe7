#include "bench/studies/programme_output.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "bench/report/machine_facts.hpp"
#include "bench/report/report.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/studies/search_measures.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/process/build_info.hpp"

namespace inkling::bench {
namespace {

std::string_view whose_text(ClaimBy whose) { return whose == ClaimBy::paper ? "paper" : "ours"; }

/// An array of objects, one for each item.
template <typename Items, typename Write>
void write_each(JsonWriter& json, std::string_view name, const Items& items, const Write& write) {
  json.key(name).begin_array();
  for (const auto& item : items) {
    json.begin_object();
    write(item);
    json.end_object();
  }
  json.end_array();
}

void write_estimate(JsonWriter& json, const Estimate& estimate) {
  json.member("mean", estimate.mean).member("standard_error", estimate.standard_error);
}

void write_measurements(JsonWriter& json, std::string_view name, const std::vector<Measurement>& numbers) {
  write_each(json, name, numbers, [&](const Measurement& number) {
    json.member("name", number.name);
    write_estimate(json, number.value);
  });
}

void write_settings(JsonWriter& json, const PaperSettings& settings) {
  json.key("settings").begin_object();
  json.member("effort", settings.effort == PaperEffort::full ? "full" : "quick");
  json.member("trials", settings.trials).member("tuning_trials", settings.tuning_trials);
  json.member("seed", settings.seed).member("noise", settings.noise);
  json.member("logistic_norm", settings.logistic_norm).member("label_noise", settings.label_noise);
  json.member("norm_bound", settings.norm_bound).member("delta", settings.delta);
  json.member("words", settings.words).member("mark_probability", settings.mark_probability);
  json.member("rounds", settings.rounds).end_object();
}

void write_claim(JsonWriter& json, const Claim& claim) {
  json.member("id", claim.id).member("sentence", claim.sentence).member("whose", whose_text(claim.whose));
  json.member("verdict", verdict_text(claim.verdict));
  write_measurements(json, "numbers", claim.numbers);
}

void write_tuning(JsonWriter& json, const Tuning& tuning) {
  json.key("tuning").begin_array();
  for (std::size_t n = 0; n < tuning.candidates.size(); ++n) {
    json.begin_object().member("setting", tuning.candidates[n].label);
    json.member("value", tuning.candidates[n].value);
    write_estimate(json, tuning.regret[n]);
    json.end_object();
  }
  json.end_array();
}

using NamedEstimates = std::vector<std::pair<std::string, Estimate>>;

/// If a world knows what is wanted and each document is shown once: useless documents among the first N, for each N that every
/// trial reached, and what was found in the end.
void add_finds(NamedEstimates& measures, const EntrantResult& entrant) {
  std::int64_t shown = entrant.entrant.rounds;
  for (const TrialResult& trial : entrant.trials) {
    if (!trial.finds) return;
    shown = std::min(shown, trial.finds->rounds);
  }
  for (const std::int64_t first : {25, 100, 200, 400, 768}) {
    if (first > shown) continue;
    measures.emplace_back(fmt::format("useless_{}", first), estimate_over_trials(entrant, [first](const TrialResult& trial) {
                            return useless_among(trial, first);
                          }));
  }
  measures.emplace_back("found", estimate_over_trials(entrant, [](const TrialResult& trial) {
                          return static_cast<double>(trial.finds->at.size());
                        }));
}

void write_entrant(JsonWriter& json, const EntrantResult& entrant) {
  const Preset& preset = entrant.entrant.preset;
  json.member("name", entrant.entrant.name).member("policy", preset.name);
  json.member("rounds", entrant.entrant.rounds).member("setting", setting_text(entrant));
  if (preset.uses.ridge) json.member("ridge", entrant.entrant.options.ridge);
  NamedEstimates measures = {{"regret", entrant.regret()},
                             {"reward", entrant.reward()},
                             {"features_found", entrant.features_found()},
                             {"explored", entrant.explored()},
                             {"decision_seconds", entrant.decision_seconds()}};
  add_finds(measures, entrant);
  json.key("measures").begin_object();
  for (const auto& [name, estimate] : measures) {
    json.key(name).begin_object();
    write_estimate(json, estimate);
    json.end_object();
  }
  json.end_object();
  if (entrant.tuning) write_tuning(json, *entrant.tuning);
}

void write_study(JsonWriter& json, const StudyResult& result) {
  json.member("name", result.study.name).member("trials", result.study.trials);
  json.member("rounds", result.study.entrants.front().rounds);
  json.member("tuning_trials", result.study.tuning_trials);
  write_each(json, "entrants", result.entrants, [&](const EntrantResult& entrant) { write_entrant(json, entrant); });
}

void write_place(JsonWriter& json, const Figure& figure) {
  json.member("name", figure.name).member("title", figure.title).member("paper_place", figure.paper_place);
}

void write_figure(JsonWriter& json, const FigureOutcome& outcome) {
  const FigureReport& report = outcome.report;
  write_place(json, *outcome.figure);
  json.member("seconds", outcome.seconds).member("csv", outcome.figure->name + ".csv");
  write_pairs(json, "settings", report.settings);
  json.key("charts").begin_array();
  for (const FigureChart& chart : report.charts) write_chart(json, chart_name(*outcome.figure, chart), chart.chart);
  json.end_array();
  write_tables(json, report.tables);
  write_each(json, "claims", report.claims, [&](const Claim& claim) { write_claim(json, claim); });
  write_measurements(json, "facts", report.facts);
  write_each(json, "studies", outcome.studies, [&](const StudyResult& study) { write_study(json, study); });
}

}  // namespace

VerdictCounts count_verdicts(const ProgrammeRun& run, ClaimBy whose) {
  VerdictCounts counts;
  for (const FigureOutcome& outcome : run.figures) {
    for (const Claim& claim : outcome.report.claims) {
      if (claim.whose != whose) continue;
      if (claim.verdict == Verdict::holds) ++counts.holds;
      if (claim.verdict == Verdict::fails) ++counts.fails;
      if (claim.verdict == Verdict::not_comparable) ++counts.not_comparable;
    }
  }
  return counts;
}

std::string chart_name(const Figure& figure, const FigureChart& chart) {
  return chart.suffix.empty() ? figure.name : fmt::format("{}-{}", figure.name, chart.suffix);
}

std::string figure_csv(const Figure& figure, const FigureReport& report) {
  std::string csv(kChartCsvHead);
  for (const FigureChart& chart : report.charts) csv += chart_csv(chart_name(figure, chart), chart.chart);
  return csv;
}

std::string summary_json(const ProgrammeRun& run) {
  constexpr int version = 2;
  JsonWriter json;
  json.begin_object();
  json.member("summary_version", version).member("programme", run.programme->name);
  json.member("title", run.programme->title).member("program_version", program_version);
  json.member("commit", source_commit());
  json.member("command", run.command).member("seconds", run.seconds);
  write_settings(json, run.settings);
  write_pairs(json, "machine", run.machine);
  write_each(json, "figures", run.figures, [&](const FigureOutcome& outcome) { write_figure(json, outcome); });
  write_each(json, "left_out", run.left_out, [&](const LeftOut& left_out) {
    write_place(json, *left_out.figure);
    json.member("why", left_out.why).member("remedy", left_out.remedy);
  });
  json.end_object();
  return json.take() + "\n";
}

}  // namespace inkling::bench
