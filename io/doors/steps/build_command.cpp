// `inkling parts build`: pass 2 of one part of a plan.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/build_info.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/doors/cli/output_guard.hpp"
#include "io/doors/commands/build_options.hpp"
#include "io/doors/commands/build_report.hpp"
#include "io/doors/steps/parts.hpp"
#include "io/doors/steps/step.hpp"
#include "io/parts/shards/build_part.hpp"

namespace inkling {
namespace {

OptionTable build_step_options() {
  using Need = Option::Need;
  return OptionTable(
      {"inkling parts build",
       "Builds the shard of one part. It is a pool of its own; all other options of the build are in the "
       "plan.",
       "inkling parts build plan.json --part 3 --counts all-counts --rows counts/3 --out shards/3",
       {{"What is built",
         {{"part", Integer{0, INT32_MAX}, "I", std::nullopt, "which part, from 0", Need::required},
          {"counts", Path{}, "COUNTS", std::nullopt, "the counts of all parts: words and idf come from them", Need::required},
          {"rows", Path{}, "COUNTS", std::nullopt,
           "the counts of this part alone: if inkling parts count --keep-rows kept the words of its "
           "documents there, its text is not cut into words again; the shard is the same"}}},
        {"What goes out",
         {{"out", Path{}, "SHARD", std::nullopt, "the shard: a folder, which appears whole or not at all"}, json_option()}},
        running_group()},
       {"PLAN", "what inkling parts plan wrote", 1, 1}});
}

struct BuiltShard {
  std::int64_t rows = 0;
  std::int64_t nonzeros = 0;
  bool from_rows = false;  ///< whether it was made from rows that were kept when the part was counted
};

BuiltShard built_shard(const ParsedOptions& options, const BuildPlan& plan, const CountsFolder& counts, const ShardOrigin& origin,
                       StepResult& result) {
  const SourceOptions process = process_options(options, plan);
  const std::unique_ptr<PartRows> rows = options.has("rows") ? kept_rows(counts, origin.part, options.text("rows")) : nullptr;
  PhasedProgress shown;
  PoolStaging staging(result.out, staged_shard());
  ThreadLimit limit(build_threads(options));
  const TextBuildSummary summary = limit.run([&] {
    return build_part(plan, counts, origin, rows.get(), process, static_cast<std::uint64_t>(options.integer("memory")), staging,
                      [&shown](BuildPhase phase, std::uint64_t done, std::uint64_t total, std::int64_t) {
                        shown.show(name_of(phase, kBuildLabels), done, total);
                      });
  });
  if (staging.was_there()) result.work = StepResult::Work::found;
  for (const std::string& text : shown_remarks(summary.corpus)) tell(visible_text("inkling parts build: " + text) + "\n");
  return {summary.corpus.documents, summary.nonzeros, rows != nullptr};
}

// An existing shard is accepted only if every byte of it is as written: nothing checks it again before it is used.
BuiltShard checked_shard(const ParsedOptions& options, const Manifest& manifest, StepResult& result) {
  {
    PhasedProgress shown;
    ThreadLimit limit(build_threads(options));
    limit.run([&] {
      static_cast<void>(verify_pool(
          result.out, [&shown](std::uint64_t done, std::uint64_t total) { shown.show("checking, bytes", done, total); }));
    });
  }
  found_output(result, staged_shard().contents);
  return {manifest.rows, manifest.nonzeros};
}

int build_shard(const ParsedOptions& options) {
  StepResult result = {.out = step_output(options, "the shard to build")};
  std::vector<std::string> inputs = {options.text("counts")};
  if (options.has("rows")) inputs.push_back(options.text("rows"));
  refuse_overlap("out", result.out, inputs);
  const BuildPlan plan = read_plan(options.positionals().front(), program_version, options.integer("part"));
  const CountsFolder counts(options.text("counts"));
  const ShardOrigin origin = planned_shard(plan, counts, options.integer("part"));
  BuiltShard shard;
  if (const std::optional<Manifest> existing = pool_manifest_at(result.out)) {
    if (shard_origin_of(result.out, *existing) != origin) refuse_other_output(result.out, "another pool");
    shard = checked_shard(options, *existing, result);
  } else {
    shard = built_shard(options, plan, counts, origin, result);
  }
  report_step(
      options, "parts build", result,
      [&] {
        return fmt::format("part {}: {} documents, {} non-zeros{}", origin.part, digit_groups(shard.rows),
                           digit_groups(shard.nonzeros), shard.from_rows ? ", from its rows" : "");
      },
      [&](JsonWriter& json) {
        json.member("part", origin.part).member("first_row", origin.first_row);
        json.member("documents", shard.rows).member("nonzeros", shard.nonzeros);
        json.member("from_rows", shard.from_rows);
      });
  return ExitCode::ok;
}

}  // namespace

Command build_step() { return command_of(build_step_options(), build_shard); }

}  // namespace inkling
