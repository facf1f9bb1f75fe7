// `inkling build --plan`: pass 2 of one part of a plan.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"
#include "io/base/process/build_info.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/doors/cli/output_guard.hpp"
#include "io/doors/commands/build_options.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/steps/step.hpp"
#include "io/parts/shards/build_part.hpp"

namespace inkling {
namespace {

// The plan tells all but what belongs to the part and to the process.
void refuse_what_the_plan_tells(const ParsedOptions& options) {
  constexpr std::array<std::string_view, 8> taken = {"plan", "part", "counts", "rows",
                                                     "out",  "json", "memory", "threads"};
  if (!options.positionals().empty())
    throw UsageError::option("plan", "the plan tells the sources; name none beside it");
  const OptionTable table = build_option_table();
  for (const OptionGroup& group : table.description().groups) {
    for (const Option& option : group.options) {
      if (options.given(option.name) && std::ranges::find(taken, option.name) == taken.end())
        throw UsageError::option(option.name, "is not for --plan: the plan tells it for all parts");
    }
  }
  for (const char* const name : {"part", "counts"})
    if (!options.has(name)) throw UsageError::option(name, "expected with --plan");
}

struct BuiltShard {
  std::int64_t rows = 0;
  std::int64_t nonzeros = 0;
  bool from_rows = false;  ///< that were kept when the part was counted
};

BuiltShard built_shard(const ParsedOptions& options, const BuildPlan& plan, const CountsFolder& counts,
                       const ShardOrigin& origin, StepResult& result) {
  const SourceOptions process = process_options(options, plan);
  const std::unique_ptr<PartRows> rows =
      options.has("rows") ? kept_rows(counts, origin.part, options.text("rows")) : nullptr;
  PhasedProgress shown;
  PoolStaging staging(result.out, WriteCalls::of_system(), staged_shard());
  ThreadLimit limit(build_threads(options));
  const TextBuildSummary summary = limit.run([&] {
    return build_part(
        plan, counts, origin, rows.get(), process, static_cast<std::uint64_t>(options.integer("memory")),
        staging, [&shown](BuildPhase phase, std::uint64_t done, std::uint64_t total, std::int64_t) {
          const std::string_view label = phase == BuildPhase::read    ? "1 of 3: reading, bytes"
                                         : phase == BuildPhase::weigh ? "2 of 3: weighing, non-zeros"
                                                                      : "3 of 3: columns, non-zeros";
          shown.show(label, done, total);
        });
  });
  if (staging.stood_already()) result.work = StepResult::Work::found;
  return {summary.corpus.documents, summary.nonzeros, rows != nullptr};
}

}  // namespace

int build_shard(const ParsedOptions& options) {
  refuse_what_the_plan_tells(options);
  StepResult result = {.out = step_output(options, "the shard to build")};
  std::vector<std::string> inputs = {options.text("counts")};
  if (options.has("rows")) inputs.push_back(options.text("rows"));
  refuse_overlap("out", result.out, inputs);
  const BuildPlan plan = read_plan(options.text("plan"), program_version, options.integer("part"));
  const CountsFolder counts(options.text("counts"));
  const ShardOrigin origin = planned_shard(plan, counts, options.integer("part"));
  BuiltShard shard;
  if (const std::optional<Manifest> standing = pool_manifest_at(result.out)) {
    if (shard_origin_of(result.out, *standing) != origin) refuse_standing(result.out, "another pool");
    shard = {standing->rows, standing->nonzeros};
    found_standing(result, staged_shard().contents);
  } else {
    shard = built_shard(options, plan, counts, origin, result);
  }
  report_step(
      options, "build", result,
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

}  // namespace inkling
