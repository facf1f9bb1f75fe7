#include "bench/paper/output/summary_json.hpp"

#include <utility>
#include <vector>

#include "io/cli/build_info.hpp"
#include "io/file/json_writer.hpp"

namespace inkling::bench {
namespace {

void add_verdict(VerdictCounts& counts, Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      ++counts.holds;
      return;
    case Verdict::fails:
      ++counts.fails;
      return;
    case Verdict::not_comparable:
      ++counts.not_comparable;
      return;
  }
}

void write_counts(JsonWriter& json, const VerdictCounts& counts) {
  json.key("verdicts").begin_object();
  json.member("holds", counts.holds).member("does_not_hold", counts.fails);
  json.member("not_comparable", counts.not_comparable).end_object();
}

void write_pairs(JsonWriter& json, std::string_view name,
                 const std::vector<std::pair<std::string, std::string>>& pairs) {
  json.key(name).begin_array();
  for (const auto& [key, value] : pairs) {
    json.begin_object().member("name", key).member("value", value).end_object();
  }
  json.end_array();
}

void write_settings(JsonWriter& json, const PaperSettings& settings) {
  json.key("settings").begin_object();
  json.member("effort", settings.effort == PaperEffort::full ? "full" : "quick");
  json.member("trials", settings.trials).member("tuning_trials", settings.tuning_trials);
  json.member("seed", settings.seed);
  json.member("noise", settings.noise)
      .member("logistic_norm", settings.logistic_norm)
      .member("label_noise", settings.label_noise);
  json.member("norm_bound", settings.norm_bound).member("delta", settings.delta);
  json.member("words", settings.words).member("mark_probability", settings.mark_probability);
  json.key("rounds");
  if (settings.rounds)
    json.value(*settings.rounds);
  else
    json.null();
  json.end_object();
}

void write_claim(JsonWriter& json, const Claim& claim) {
  json.begin_object();
  json.member("id", claim.id).member("sentence", claim.sentence);
  json.member("verdict", verdict_text(claim.verdict));
  json.key("numbers").begin_array();
  for (const Measurement& number : claim.numbers) {
    json.begin_object().member("name", number.name).member("mean", number.value.mean);
    json.member("standard_error", number.value.standard_error).end_object();
  }
  json.end_array().member("why", claim.why).end_object();
}

void write_place(JsonWriter& json, const Figure& figure) {
  json.member("name", figure.name).member("title", figure.title).member("paper_place", figure.paper_place);
}

void write_figure(JsonWriter& json, const FigureOutcome& outcome) {
  json.begin_object();
  write_place(json, *outcome.figure);
  json.member("seconds", outcome.seconds);
  write_pairs(json, "settings", outcome.report.settings);
  write_counts(json, count_verdicts(outcome.report));
  json.key("claims").begin_array();
  for (const Claim& claim : outcome.report.claims) write_claim(json, claim);
  json.end_array().end_object();
}

}  // namespace

VerdictCounts count_verdicts(const FigureReport& report) {
  VerdictCounts counts;
  for (const Claim& claim : report.claims) add_verdict(counts, claim.verdict);
  return counts;
}

VerdictCounts count_verdicts(const PaperRun& run) {
  VerdictCounts counts;
  for (const FigureOutcome& outcome : run.figures) {
    for (const Claim& claim : outcome.report.claims) add_verdict(counts, claim.verdict);
  }
  return counts;
}

std::string summary_json(const PaperRun& run) {
  JsonWriter json;
  json.begin_object();
  json.member("summary_version", kSummaryVersion).member("program_version", program_version);
  json.member("command", run.command).member("seconds", run.seconds);
  write_settings(json, run.settings);
  write_pairs(json, "machine", run.machine);
  write_counts(json, count_verdicts(run));
  json.key("figures").begin_array();
  for (const FigureOutcome& outcome : run.figures) write_figure(json, outcome);
  json.end_array().key("left_out").begin_array();
  for (const LeftOut& left_out : run.left_out) {
    json.begin_object();
    write_place(json, *left_out.figure);
    json.member("why", left_out.why).member("remedy", left_out.remedy).end_object();
  }
  json.end_array().end_object();
  return json.take() + "\n";
}

}  // namespace inkling::bench
