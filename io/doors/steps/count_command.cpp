// `inkling parts count`: pass 1 of one part of a plan.

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/build_info.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/doors/commands/build_options.hpp"
#include "io/doors/commands/build_report.hpp"
#include "io/doors/steps/parts.hpp"
#include "io/doors/steps/step.hpp"
#include "io/parts/shards/count_part.hpp"
#include "io/parts/shards/counts_folder.hpp"

namespace inkling {
namespace {

OptionTable count_options() {
  return OptionTable({"inkling parts count",
                      "Counts in how many documents of one part each term is. It is the first of the two passes of a build "
                      "in parts.",
                      "inkling parts count plan.json --part 3 --out counts/3",
                      {{"What is counted", {{"part", Integer{0, INT32_MAX}, "I", std::nullopt, "which part, from 0"}}},
                       {"What goes out",
                        {{"out", Path{}, "COUNTS", std::nullopt, "the counts: a folder, which appears whole or not at all"},
                         {"keep-rows", Flag{}, "", std::nullopt,
                          "keep the words of each document in the folder, too, for the --rows of inkling parts build: about "
                          "0.35 bytes a byte of text"},
                         json_option()}},
                       running_group()},
                      {"PLAN", "what inkling parts plan wrote", 1, 1}});
}

CountsManifest made_counts(const ParsedOptions& options, const BuildPlan& plan, std::int64_t part, StepResult& result) {
  const SourceOptions process = process_options(options, plan);
  PhasedProgress shown;
  PoolStaging staging(result.out, staged_counts());
  ThreadLimit limit(build_threads(options));
  const PartRowKeeping rows = options.flag("keep-rows") ? PartRowKeeping::keep : PartRowKeeping::drop;
  CountsManifest counts = limit.run([&] {
    return count_part(plan, part, rows, process, static_cast<std::uint64_t>(options.integer("memory")), staging,
                      [&shown](BuildPhase, std::uint64_t done, std::uint64_t total, std::int64_t documents) {
                        shown.show("counting, bytes", done, total, short_count(static_cast<double>(documents)) + " documents");
                      });
  });
  if (staging.was_there()) result.work = StepResult::Work::found;
  for (const std::string& text : shown_remarks(counts.totals)) tell(visible_text("inkling parts count: " + text) + "\n");
  return counts;
}

int count(const ParsedOptions& options) {
  if (!options.has("part")) throw UsageError::option("part", "expected the number of the part to count");
  StepResult result = {.out = step_output(options, "the counts to write")};
  const std::int64_t part = options.integer("part");
  const BuildPlan plan = read_plan(options.positionals().front(), program_version, part);
  static_cast<void>(part_of_plan(plan, part));
  CountsManifest counts;
  if (const std::optional<CountsManifest> existing = counts_at(result.out)) {
    if (!are_counts_of(*existing, plan, part)) refuse_other_output(result.out, "other counts");
    counts = *existing;
    found_output(result, staged_counts().contents);
  } else {
    counts = made_counts(options, plan, part, result);
  }
  report_step(
      options, "parts count", result,
      [&] {
        return fmt::format("part {}: {} documents, {} different terms", part, digit_groups(counts.totals.documents),
                           digit_groups(counts.terms));
      },
      [&](JsonWriter& json) {
        json.member("part", part).member("documents", counts.totals.documents);
        json.member("terms", counts.terms).member("text_bytes", counts.totals.text_bytes);
      });
  return ExitCode::ok;
}

}  // namespace

Command count_step() { return command_of(count_options(), count); }

}  // namespace inkling
