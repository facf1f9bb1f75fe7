#include "bench/commands/scale_command.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/report/svg_chart.hpp"
#include "bench/speed/scale_report.hpp"
#include "engine/core/errors.hpp"
#include "io/cli/interruption.hpp"
#include "io/cli/progress.hpp"
#include "io/cli/terminal.hpp"
#include "io/cli/thread_limit.hpp"
#include "io/file/json_writer.hpp"
#include "io/file/output_file.hpp"

namespace inkling::bench {
namespace {

std::vector<std::string> axis_names() {
  std::vector<std::string> names;
  for (const ScaleAxis axis : kScaleAxes) names.emplace_back(name_of(axis));
  return names;
}

OptionTable scale_options() {
  constexpr std::int64_t most = 100'000'000;
  return OptionTable(
      {"inkling-bench scale",
       "Measures how the cost of a round grows, and writes figures, plots and one HTML page.",
       "inkling-bench scale --axis documents,relevant --out scale --quick",
       {{"What to measure",
         {{"axis", ChoiceList{axis_names()}, "NAME[,NAME...]",
           "documents,features,relevant,length,threads,rounds", "what grows while the rest stays"},
          {"sizes", IntegerList{{1, most}}, "N,...", std::nullopt,
           "the places on the axis, where only one is given (default: five or so, the largest a million "
           "documents)"},
          {"quick", Flag{}, "", std::nullopt, "smaller pools and shorter runs: less than a minute in all"},
          {"check", Flag{}, "", std::nullopt,
           "compare every choice with a full scan from nothing; takes much longer"}}},
        {"What stays",
         {{"documents", Integer{1, most}, "N", std::nullopt,
           "in the pool (default: 30000, quick: 10000; ten times as many for threads)"},
          {"features", Integer{1, most}, "D", std::nullopt, "of the pool (default: 100000, quick: 30000)"},
          {"relevant", Integer{1, 20'000}, "K", "100", "features that matter"},
          {"tokens", Integer{1, 3000}, "W", "150", "words a document, on average"},
          {"rounds", Integer{1, most}, "T", std::nullopt,
           "of a run; each document is shown once (default: 2000, quick: 1000)"},
          {"df", RealPair{Real::from_to(0.0, 1.0)}, "LOW,HIGH", "0.01,0.3",
           "the relevant features are held by this share of the documents"},
          {"threads", Integer{1, 1024}, "N", "1",
           "for choosing and learning; pools are made on all there are"},
          {"seed", Integer{0}, "N", "1", "of all chance"}}},
        {"Output",
         {{"out", Path{}, "DIR", std::nullopt,
           "made where it is missing: scale_AXIS.csv, scale_AXIS.svg, exponents.csv, index.html",
           Option::Need::required},
          {"json", Flag{}, "", std::nullopt,
           "print the exponents as one JSON object instead of the tables"}}}}});
}

/// What the options ask for.
struct ScalePlan {
  std::vector<ScaleAxis> axes;
  ScalePoint usual;
  bool documents_given = false;
  std::vector<std::int64_t> sizes;  ///< empty for each axis's own
  Effort effort = Effort::full;
  StudyOptions study;
  std::string folder;

  [[nodiscard]] std::vector<ScalePoint> points_of(ScaleAxis axis) const {
    std::vector<std::int64_t> values =
        sizes.empty() ? usual_values(axis, effort, available_threads()) : sizes;
    std::ranges::sort(values);
    ScalePoint start = usual;
    // A pool so small that one thread has it in its cache says nothing of threads.
    constexpr std::int32_t larger = 10;
    if (axis == ScaleAxis::threads && !documents_given) start.documents *= larger;
    std::vector<ScalePoint> points;
    points.reserve(values.size());
    for (const std::int64_t value : values) points.push_back(at(start, axis, value));
    return points;
  }
};

ScaleAxis axis_named(std::string_view name) {
  return *std::ranges::find(kScaleAxes, name, [](ScaleAxis axis) { return name_of(axis); });
}

std::int32_t small_integer(const ParsedOptions& given, std::string_view name, std::int32_t otherwise) {
  return given.has(name) ? static_cast<std::int32_t>(given.integer(name)) : otherwise;
}

ScalePlan plan_from(const ParsedOptions& given) {
  ScalePlan plan;
  for (const std::string& name : given.choices("axis")) plan.axes.push_back(axis_named(name));
  plan.effort = given.flag("quick") ? Effort::quick : Effort::full;
  plan.usual = usual_point(plan.effort);
  plan.usual.documents = small_integer(given, "documents", plan.usual.documents);
  plan.documents_given = given.has("documents");
  plan.usual.features = small_integer(given, "features", plan.usual.features);
  plan.usual.relevant = small_integer(given, "relevant", plan.usual.relevant);
  plan.usual.tokens = small_integer(given, "tokens", plan.usual.tokens);
  plan.usual.threads = small_integer(given, "threads", plan.usual.threads);
  if (given.has("rounds")) plan.usual.rounds = given.integer("rounds");
  if (given.has("sizes")) {
    if (plan.axes.size() != 1)
      throw UsageError::option("sizes", fmt::format("expected one --axis with it, got {}", plan.axes.size()));
    plan.sizes = given.integers("sizes");
  }
  plan.study.frequency = {given.real_pair("df").first, given.real_pair("df").second};
  plan.study.seed = static_cast<std::uint64_t>(given.integer("seed"));
  plan.study.checking = given.flag("check") ? Checking::on : Checking::off;
  constexpr double quick_seconds = 0.15;
  if (plan.effort == Effort::quick) plan.study.rescoring_seconds = quick_seconds;
  plan.folder = given.text("out");
  return plan;
}

/// Measures until all is done or Ctrl-C ends it; what was measured stays. Returns whether all is done.
bool measure(const ScalePlan& plan, std::vector<AxisStudy>& studies) {
  std::int64_t points = 0;
  for (const ScaleAxis axis : plan.axes) points += static_cast<std::int64_t>(plan.points_of(axis).size());
  Progress progress("runs", static_cast<std::uint64_t>(points * kCellsAPoint));
  StudyListener listener;
  listener.check_interruption = throw_if_interrupted;
  listener.cell_done = [&] { progress.advance(); };
  try {
    for (const ScaleAxis axis : plan.axes) {
      studies.push_back({axis, {}});
      for (const ScalePoint& point : plan.points_of(axis)) {
        progress.note(fmt::format("{} {}", value_at(point, axis), name_of(axis)));
        throw_if_interrupted();
        studies.back().points.push_back(measure_point(axis, point, plan.study, listener));
      }
    }
  } catch (const InterruptedError&) {
    std::erase_if(studies, [](const AxisStudy& study) { return study.points.empty(); });
    return false;
  }
  return true;
}

void write_all(const std::string& folder, const std::vector<AxisStudy>& studies, const StudyFacts& facts) {
  for (const AxisStudy& study : studies) {
    write_file(fmt::format("{}/scale_{}.csv", folder, name_of(study.axis)), cells_csv(study));
    for (const ScaleChart& chart : scale_charts(study)) {
      write_file(folder + "/" + chart.file, svg_chart(chart.chart));
    }
  }
  write_file(folder + "/exponents.csv", exponents_csv(studies));
  write_file(folder + "/index.html", scale_page(studies, facts));
}

std::string json_of(const std::vector<AxisStudy>& studies) {
  JsonWriter json;
  json.begin_object().key("axes").begin_array();
  for (const AxisStudy& study : studies) {
    json.begin_object().member("axis", name_of(study.axis)).key("curves").begin_array();
    for (const GrowthCurve& curve : growth_curves(study)) {
      if (curve.quantity != ScaleQuantity::mean_time || !curve.law) continue;
      json.begin_object()
          .member("policy", name_of(curve.discovery))
          .member("scoring", scoring_name(curve.scoring));
      json.member("exponent", curve.law->exponent);
      if (curve.law->standard_error) json.member("standard_error", *curve.law->standard_error);
      json.end_object();
    }
    json.end_array().end_object();
  }
  return json.end_array().end_object().take();
}

/// The command line that makes the same study again, but for the folder.
std::string command_of_plan(const ScalePlan& plan) {
  std::string axes;
  for (const ScaleAxis axis : plan.axes) axes += fmt::format("{}{}", axes.empty() ? "" : ",", name_of(axis));
  std::string sizes;
  for (const std::int64_t size : plan.sizes) sizes += fmt::format("{}{}", sizes.empty() ? "" : ",", size);
  const ScalePoint& usual = plan.usual;
  const std::string documents =
      plan.documents_given ? fmt::format(" --documents {}", usual.documents) : std::string();
  return fmt::format(
      "inkling-bench scale --axis {}{}{}{} --features {} --relevant {} --tokens {} --rounds {} --df "
      "{:g},{:g} "
      "--threads {} --seed {} --out DIR",
      axes, sizes.empty() ? "" : " --sizes " + sizes, plan.effort == Effort::quick ? " --quick" : "",
      documents, usual.features, usual.relevant, usual.tokens, usual.rounds, plan.study.frequency.low,
      plan.study.frequency.high, usual.threads, plan.study.seed);
}

int scale(const ParsedOptions& given) {
  const ScalePlan plan = plan_from(given);
  make_folder(plan.folder);
  StudyFacts facts{machine_facts(), command_of_plan(plan), plan.study};
  measure_read_bandwidth(facts.machine);
  std::vector<AxisStudy> studies;
  facts.complete = measure(plan, studies);
  write_all(plan.folder, studies, facts);
  const Colour colour = terminal_facts(Stream::output).colour;
  if (given.flag("json")) {
    fmt::print("{}\n", json_of(studies));
  } else {
    for (const AxisStudy& study : studies) fmt::print("{}\n", scale_table(study, colour));
    fmt::print("{}/index.html has the plots and what they mean.\n", plan.folder);
  }
  if (!facts.complete) throw InterruptedError();
  return ExitCode::ok;
}

}  // namespace

Command scale_command() { return inkling::command_of(scale_options(), scale); }

}  // namespace inkling::bench
