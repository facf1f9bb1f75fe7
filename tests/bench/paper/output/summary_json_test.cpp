#include "bench/studies/programme_output.hpp"

#include <limits>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "io/cli/build_info.hpp"
#include "tests/bench/paper/output/sample_run.hpp"

namespace inkling::bench {
namespace {

constexpr Figure kRun = {.name = "sparse", .title = "Sparse", .paper_place = "synthetic"};
constexpr Figure kMissing = {.name = "human", .title = "People", .paper_place = "movies"};

PaperRun small_run() {
  PaperRun run;
  FigureReport report;
  report.settings = {{"rounds", "64"}, {"rounds", "128"}};
  report.claims = {{.id = "a",
                    .sentence = "It is \"less\".",
                    .verdict = Verdict::fails,
                    .numbers = {{"ratio", {0.5, std::numeric_limits<double>::infinity()}}},
                    .why = "Too few."}};
  run.figures = {{&kRun, report, 1.5}};
  run.left_out = {{&kMissing, "No data.", "Fetch it."}};
  run.machine = {{"cores", "2"}};
  run.command = "inkling-bench paper";
  run.seconds = 2.5;
  return run;
}

TEST_CASE("A summary holds the run in one object of known form, null where a number is not finite") {
  const std::string expected = fmt::format(
      R"({{"summary_version":1,"program_version":"{}","command":"inkling-bench paper","seconds":2.5,)"
      R"("machine":[{{"name":"cores","value":"2"}}],)"
      R"("verdicts":{{"holds":0,"does_not_hold":1,"not_comparable":0}},)"
      R"("figures":[{{"name":"sparse","title":"Sparse","paper_place":"synthetic","seconds":1.5,)"
      R"("settings":[{{"name":"rounds","value":"64"}},{{"name":"rounds","value":"128"}}],)"
      R"("verdicts":{{"holds":0,"does_not_hold":1,"not_comparable":0}},)"
      R"("claims":[{{"id":"a","sentence":"It is \"less\".","verdict":"does not hold",)"
      R"("numbers":[{{"name":"ratio","mean":0.5,"standard_error":null}}],"why":"Too few."}}]}}],)"
      R"("left_out":[{{"name":"human","title":"People","paper_place":"movies","why":"No data.","remedy":"Fetch it."}}]}})",
      program_version);
  std::string json = summary_json(small_run());
  const std::size_t settings = json.find(R"("settings":{)");
  json.erase(settings, json.find(R"("machine":)") - settings);
  CHECK(json == expected + "\n");
}

TEST_CASE("The settings of a run are in the summary, null where none was given") {
  PaperRun run = small_run();
  const std::string usual = summary_json(run);
  CHECK(usual.find(R"("settings":{"effort":"full","trials":100,"tuning_trials":10,"seed":1,"noise":0.5,)") !=
        std::string::npos);
  CHECK(usual.find(R"("mark_probability":0.1,"rounds":null})") != std::string::npos);
  run.settings.effort = PaperEffort::quick;
  run.settings.rounds = 256;
  const std::string json = summary_json(run);
  CHECK(json.find(R"("effort":"quick")") != std::string::npos);
  CHECK(json.find(R"("rounds":256)") != std::string::npos);
}

TEST_CASE("Verdicts of a run are those of its figures") {
  const PaperRun run = sample_run();
  const VerdictCounts counts = count_verdicts(run);
  std::size_t claims = 0;
  for (const FigureOutcome& outcome : run.figures) claims += count_verdicts(outcome.report).all();
  CHECK(counts.all() == claims);
  CHECK(counts.fails == 1);
  CHECK(counts.not_comparable == 1);
  CHECK(summary_json(run).find("nan") == std::string::npos);
}

}  // namespace
}  // namespace inkling::bench
