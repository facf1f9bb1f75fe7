#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/commands/commands.hpp"
#include "bench/report/report.hpp"
#include "bench/speed/scale_report.hpp"
#include "bench/speed/world_speeds.hpp"
#include "engine/core/errors.hpp"
#include "engine/policy/policy_settings.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/stopwatch.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/base/system/interruption.hpp"
#include "io/doors/cli/progress.hpp"
#include "io/doors/cli/terminal.hpp"

namespace inkling::bench {
namespace {

std::vector<std::string> names_of_axes() {
  std::vector<std::string> names;
  for (const auto& axis : kScaleAxes) names.emplace_back(axis.name);
  names.emplace_back(kWorldsAxis);
  return names;
}

OptionTable scale_options() {
  constexpr std::int64_t most = 100'000'000;
  return OptionTable(
      {"inkling-bench scale",
       "Measures how the cost of a round grows. It writes tables, charts and one HTML page.",
       "inkling-bench scale --axis documents,relevant --out scale --quick",
       {{"What to measure",
         {{"axis", ChoiceList{names_of_axes()}, "NAME[,NAME...]", std::nullopt,
           "what grows while the rest stays; worlds: documents, in three kinds of worlds (default: all)"},
          {"sizes", IntegerList{{1, most}}, "N,...", std::nullopt,
           "the places on the axis, with one --axis only (default: about five; documents go up to a "
           "million)"},
          {"repeats", Integer{1, 1000}, "N", "3", "runs of each cell; bands reach from the fastest to the slowest"},
          {"quick", Flag{}, "", std::nullopt, "smaller pools and shorter runs: about a minute in all"},
          {"check", Flag{}, "", std::nullopt, "compare every choice with a full scan from nothing; takes much longer"}}},
        {"What stays",
         {{"documents", Integer{1, most}, "N", std::nullopt,
           "documents in the pool (default: 30000, quick: 10000; ten times as many for threads)"},
          {"features", Integer{1, most}, "D", std::nullopt, "features of the pool (default: 100000, quick: 30000)"},
          {"relevant", Integer{1, 20'000}, "K", "100", "features that matter"},
          {"tokens", Integer{1, 3000}, "W", "150", "words a document, on average"},
          {"rounds", Integer{1, most}, "T", std::nullopt,
           "rounds of a run; each document is shown once (default: 2000, quick: 1000)"},
          {"df", RealPair{Real::from_to(0.0, 1.0)}, "LOW,HIGH", "0.01,0.3",
           "the share of the documents that hold a relevant feature"},
          {"threads", Integer{1, 1024}, "N", "1", "threads for choosing and learning; pools are made on all threads"},
          {"seed", Integer{0}, "N", "1", "seed of all random draws"}}},
        {"Output",
         {{"out", Path{}, "DIR", std::nullopt,
           "made where it is missing: index.html, summary.json, scale_AXIS.csv, charts_AXIS.csv and their "
           "pictures",
           Option::Need::required}}}},
       {},
       {"out", "axis", "quick"}});
}

/// The values of the options.
struct ScalePlan {
  std::vector<ScaleAxis> axes;
  bool has_worlds = false;
  WorldSpeedOptions worlds;
  ScalePoint usual;
  bool documents_given = false;
  std::vector<std::int64_t> sizes;  ///< empty: each axis has its usual ones
  Effort effort = Effort::full;
  StudyOptions study;
  std::string folder;

  [[nodiscard]] std::vector<ScalePoint> points_of(ScaleAxis axis) const {
    std::vector<std::int64_t> values = sizes.empty() ? usual_values(axis, effort, available_threads()) : sizes;
    std::ranges::sort(values);
    ScalePoint start = usual;
    // A pool that fits the cache of one thread shows nothing about threads.
    constexpr std::int64_t larger = 10;
    if (axis == ScaleAxis::threads && !documents_given) start.documents *= larger;
    std::vector<ScalePoint> points;
    points.reserve(values.size());
    for (const std::int64_t value : values) points.push_back(moved(start, axis, value));
    return points;
  }
};

ScalePlan plan_from(const ParsedOptions& given) {
  ScalePlan plan;
  const std::vector<std::string> axes = given.has("axis") ? given.choices("axis") : names_of_axes();
  for (const std::string& name : axes) {
    if (const auto axis = value_of(name, kScaleAxes)) plan.axes.push_back(*axis);
    plan.has_worlds |= name == kWorldsAxis;
  }
  plan.effort = given.flag("quick") ? Effort::quick : Effort::full;
  plan.usual = usual_point(plan.effort);
  plan.documents_given = given.has("documents");
  for (const auto& [name, place] : {std::pair{"documents", &plan.usual.documents}, std::pair{"features", &plan.usual.features},
                                    std::pair{"relevant", &plan.usual.relevant}, std::pair{"tokens", &plan.usual.tokens},
                                    std::pair{"threads", &plan.usual.threads}, std::pair{"rounds", &plan.usual.rounds}}) {
    if (given.has(name)) *place = given.integer(name);
  }
  if (given.has("sizes")) {
    if (axes.size() != 1) throw UsageError::option("sizes", fmt::format("expected one --axis with it, got {}", axes.size()));
    plan.sizes = given.integers("sizes");
  }
  plan.study.frequency = {given.real_pair("df").first, given.real_pair("df").second};
  plan.study.seed = static_cast<std::uint64_t>(given.integer("seed"));
  plan.study.repeats = given.integer("repeats");
  plan.study.checking = given.flag("check");
  constexpr double quick_seconds = 0.15;
  if (plan.effort == Effort::quick) plan.study.rescoring_seconds = quick_seconds;
  plan.worlds = {.documents = plan.sizes.empty() ? usual_values(ScaleAxis::documents, plan.effort, 1) : plan.sizes,
                 .rounds = plan.usual.rounds,
                 .repeats = plan.study.repeats,
                 .seed = plan.study.seed};
  std::ranges::sort(plan.worlds.documents);
  if (plan.effort == Effort::quick || given.has("features"))
    plan.worlds.features = static_cast<std::int32_t>(plan.usual.features);
  plan.folder = given.text("out");
  return plan;
}

struct ScaleResults {
  std::vector<AxisStudy> studies;
  std::vector<WorldSpeed> worlds;  ///< empty if they were not measured
};

/// Measures until all is done or Ctrl-C ends it; what was measured is kept. Returns whether all is done.
bool measure(const ScalePlan& plan, ScaleResults& results) {
  std::int64_t runs = 0;
  for (const ScaleAxis axis : plan.axes) runs += std::ssize(plan.points_of(axis)) * kRunsAPoint;
  if (plan.has_worlds) runs += std::ssize(plan.worlds.documents) * std::ssize(kinds_of_worlds());
  Progress progress("runs", static_cast<std::uint64_t>(runs * plan.study.repeats));
  const RunListener listener{throw_if_interrupted, [&] { progress.advance(); }};
  try {
    for (const ScaleAxis axis : plan.axes) {
      results.studies.push_back({axis, {}});
      for (const ScalePoint& point : plan.points_of(axis)) {
        progress.note(fmt::format("{} {}", point.at(axis), name_of(axis, kScaleAxes)));
        throw_if_interrupted();
        results.studies.back().points.push_back(measure_point(point, plan.study, listener));
      }
    }
    if (plan.has_worlds) results.worlds = kinds_of_worlds();
    for (const std::int64_t documents : plan.has_worlds ? plan.worlds.documents : std::vector<std::int64_t>()) {
      progress.note(fmt::format("{} documents, three kinds of worlds", documents));
      throw_if_interrupted();
      ThreadLimit(1).run([&] { measure_worlds(documents, plan.worlds, listener, results.worlds); });
    }
  } catch (const InterruptedError&) {
    std::erase_if(results.studies, [](const AxisStudy& study) { return study.points.empty(); });
    if (!results.worlds.empty() && results.worlds.front().documents.empty()) results.worlds.clear();
    return false;
  }
  return true;
}

void write_all(const ScalePlan& plan, const ScaleResults& results, const StudyFacts& facts) {
  const std::string& folder = plan.folder;
  for (const AxisStudy& study : results.studies) {
    write_file(fmt::format("{}/scale_{}.csv", folder, name_of(study.axis, kScaleAxes)), cells_csv(study));
    write_file(folder + "/" + charts_file(study.axis), charts_csv(study));
  }
  std::function<void(JsonWriter&)> more;
  if (!results.worlds.empty()) {
    write_file(fmt::format("{}/charts_{}.csv", folder, kWorldsAxis), worlds_csv(results.worlds));
    more = [&](JsonWriter& json) { write_worlds(json, results.worlds, plan.worlds); };
  }
  write_file(folder + "/summary.json", scale_summary(results.studies, facts, more) + "\n");
}

/// The command line that repeats this study, without the folder.
std::string typed_again(const ScalePlan& plan) {
  std::vector<std::string_view> axes;
  axes.reserve(plan.axes.size());
  for (const ScaleAxis axis : plan.axes) axes.push_back(name_of(axis, kScaleAxes));
  if (plan.has_worlds) axes.push_back(kWorldsAxis);
  std::string line = fmt::format("inkling-bench scale --axis {}", fmt::join(axes, ","));
  if (!plan.sizes.empty()) line += fmt::format(" --sizes {}", fmt::join(plan.sizes, ","));
  if (plan.effort == Effort::quick) line += " --quick";
  if (plan.documents_given) line += fmt::format(" --documents {}", plan.usual.documents);
  if (plan.study.checking) line += " --check";
  return line + fmt::format(
                    " --features {} --relevant {} --tokens {} --rounds {} --df {:g},{:g} --threads {} "
                    "--repeats {} --seed {} --out DIR",
                    plan.usual.features, plan.usual.relevant, plan.usual.tokens, plan.usual.rounds, plan.study.frequency.low,
                    plan.study.frequency.high, plan.usual.threads, plan.study.repeats, plan.study.seed);
}

int scale(const ParsedOptions& given) {
  const ScalePlan plan = plan_from(given);
  const WriterLock lock = held_folder(plan.folder);
  const Stopwatch watch;
  StudyFacts facts{machine_facts(measured_read_bandwidth()), typed_again(plan), plan.study};
  ScaleResults results;
  facts.complete = measure(plan, results);
  facts.seconds = watch.seconds();
  write_all(plan, results, facts);
  const bool drawn = draw_report(plan.folder);
  const Colour colour = terminal_facts(Stream::output).colour;
  for (const AxisStudy& study : results.studies) fmt::print("{}\n", scale_table(study, colour));
  if (!results.worlds.empty()) fmt::print("{}\n", worlds_table(results.worlds));
  fmt::print("{}/{}\n", visible_text(plan.folder),
             drawn ? "index.html shows the charts and what they mean." : "summary.json holds all of it.");
  if (!facts.complete) throw InterruptedError();
  return ExitCode::ok;
}

}  // namespace

Command scale_command() { return inkling::command_of(scale_options(), scale); }

}  // namespace inkling::bench
