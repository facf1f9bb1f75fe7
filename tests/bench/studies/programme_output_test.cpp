#include "bench/studies/programme_output.hpp"

#include <limits>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "bench/report/machine_facts.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/studies/study.hpp"
#include "io/base/process/build_info.hpp"
#include "tests/bench/studies/small_study.hpp"

namespace inkling::bench {
namespace {

using test::small_study;

const Figure kMade = {.name = "sparse", .title = "Sparse", .paper_place = "synthetic"};
const Figure kMissing = {.name = "human", .title = "People", .paper_place = "movies"};

FigureReport small_report() {
  FigureReport report;
  report.settings = {{"rounds", "64"}};
  report.charts = {{"tuning",
                    {.title = "Chart",
                     .x_label = "ridge",
                     .y_label = "regret",
                     .series = {{.name = "oful", .x = {0.5}, .y = {1.5}, .low = {1.0}, .high = {2.0}}},
                     .x_scale = AxisScale::logarithmic}}};
  report.tables = {{.line = "Table", .head = {"policy", "regret"}, .rows = {{"oful", "1.5"}}}};
  report.claims = {{.id = "a",
                    .whose = ClaimBy::paper,
                    .sentence = "It is \"less\".",
                    .verdict = Verdict::fails,
                    .numbers = {{"ratio", {0.5, std::numeric_limits<double>::infinity()}}}},
                   {.id = "b", .whose = ClaimBy::ours, .sentence = "It is.", .verdict = Verdict::holds}};
  report.facts = {{"share", {0.25, 0.0}}};
  return report;
}

ProgrammeRun small_run() {
  static const Programme programme = {.name = "paper", .purpose = "", .example = "", .title = "Page"};
  ProgrammeRun run;
  run.programme = &programme;
  run.figures.push_back({.figure = &kMade, .report = small_report(), .studies = {}, .seconds = 1.5});
  run.left_out = {{&kMissing, "No data.", "Fetch it."}};
  run.machine = {{"cores", "2"}};
  run.command = "inkling-bench paper";
  run.seconds = 2.5;
  return run;
}

bool has_text(const std::string& json, std::string_view part) {
  CAPTURE(json);
  return json.find(part) != std::string::npos;
}

TEST_CASE("a summary holds the run in one object of known form, null where a number is not finite") {
  const std::string expected = fmt::format(
      R"({{"summary_version":2,"programme":"paper","title":"Page","program_version":"{}","commit":"{}",)"
      R"("command":"inkling-bench paper","seconds":2.5,"machine":[{{"name":"cores","value":"2"}}],)"
      R"("figures":[{{"name":"sparse","title":"Sparse","paper_place":"synthetic","seconds":1.5,)"
      R"("csv":"sparse.csv","settings":[{{"name":"rounds","value":"64"}}],"charts":[{{"name":"sparse-tuning",)"
      R"("title":"Chart","caption":"","x_label":"ridge","y_label":"regret","x_log":true,"y_log":false,)"
      R"("points":false,"series":[{{"name":"oful","style":"line"}}]}}],)"
      R"("tables":[{{"title":"Table","head":["policy","regret"],"rows":[["oful","1.5"]],"first_number":1,)"
      R"("open":false}}],"claims":[{{"id":"a","sentence":"It is \"less\".","whose":"paper",)"
      R"("verdict":"does not hold","numbers":[{{"name":"ratio","mean":0.5,"standard_error":null}}]}},)"
      R"({{"id":"b","sentence":"It is.","whose":"ours","verdict":"holds","numbers":[]}}],)"
      R"("facts":[{{"name":"share","mean":0.25,"standard_error":0}}],"studies":[]}}],)"
      R"("left_out":[{{"name":"human","title":"People","paper_place":"movies","why":"No data.","remedy":"Fetch it."}}]}})",
      program_version, source_commit());
  std::string json = summary_json(small_run());
  const std::size_t settings = json.find(R"("settings":{)");
  json.erase(settings, json.find(R"("machine":)") - settings);
  CHECK(json == expected + "\n");
}

TEST_CASE("the settings of a run are in the summary, null where none was given") {
  ProgrammeRun run = small_run();
  const std::string usual = summary_json(run);
  CHECK(has_text(usual, R"("settings":{"effort":"full","trials":100,"tuning_trials":10,"seed":1,"noise":0.5,)"));
  CHECK(has_text(usual, R"("mark_probability":0.1,"rounds":null})"));
  run.settings.effort = PaperEffort::quick;
  run.settings.rounds = 256;
  CHECK(has_text(summary_json(run), R"("effort":"quick")"));
  CHECK(has_text(summary_json(run), R"("rounds":256)"));
}

TEST_CASE("every entrant of a study is in the summary, with its measures and its tuning") {
  ProgrammeRun run = small_run();
  run.figures.front().studies = {run_study(small_study())};
  const std::string json = summary_json(run);
  CHECK(has_text(json, R"("studies":[{"name":"main","trials":5,"rounds":40,"tuning_trials":3,"entrants":[)"));
  CHECK(has_text(json, R"({"name":"oful","policy":"oful","rounds":40,"setting":"2)"));
  CHECK(has_text(json, R"("tuning":[{"setting":"2⁻¹","value":0.5,"mean":)"));
  CHECK(has_text(json, R"({"name":"random","policy":"random","rounds":40,"setting":"-","measures":{"regret":{)"));
}

TEST_CASE("claims of the paper and claims of ours are counted apart") {
  const ProgrammeRun run = small_run();
  CHECK(count_verdicts(run, ClaimBy::paper).fails == 1);
  CHECK(count_verdicts(run, ClaimBy::paper).all() == 1);
  CHECK(count_verdicts(run, ClaimBy::ours).holds == 1);
  CHECK(count_verdicts(run, ClaimBy::ours).all() == 1);
}

TEST_CASE("a figure's CSV names the chart in every line") {
  CHECK(figure_csv(kMade, small_report()) ==
        "chart,series,x,y,low,high\n"
        "sparse-tuning,oful,0.5,1.5,1,2\n");
}

}  // namespace
}  // namespace inkling::bench
