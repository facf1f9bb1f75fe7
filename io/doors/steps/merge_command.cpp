// `inkling parts merge`: counts of several parts become one.
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"
#include "io/doors/cli/output_guard.hpp"
#include "io/doors/steps/parts.hpp"
#include "io/doors/steps/step.hpp"
#include "io/parts/shards/merge_counts.hpp"

namespace inkling {
namespace {

OptionTable merge_counts_options() {
  return OptionTable(
      {"inkling parts merge",
       "Adds up counts of several parts of one plan. They may be merged in any order and in any groups: the "
       "result is the same, to the last bit.",
       "inkling parts merge counts/* --out all-counts",
       {{"What goes out",
         {{"out", Path{}, "COUNTS", std::nullopt, "the counts: a folder, which appears whole or not at all"}, json_option()}},
        {"Running",
         {{"memory", Size{static_cast<std::int64_t>(kLeastMergeMemory)}, "SIZE", "256M",
           "most memory to use; merging takes no more of it for more terms"}}}},
       {"COUNTS...", "folders that inkling parts count or this command wrote", 1, SIZE_MAX}});
}

int merge(const ParsedOptions& options) {
  StepResult result = {.out = step_output(options, "the counts to write")};
  refuse_overlap("out", result.out, options.positionals());
  const std::vector<CountsFolder> inputs(options.positionals().begin(), options.positionals().end());
  CountsManifest merged = merged_manifest(inputs);
  if (const std::optional<CountsManifest> existing = counts_at(result.out)) {
    const bool same = existing->plan == merged.plan && existing->parts == merged.parts;
    if (!same) refuse_other_output(result.out, "other counts");
    merged = *existing;
    found_output(result, staged_counts().contents);
  } else {
    PhasedProgress shown;
    PoolStaging staging(result.out, staged_counts());
    const auto memory = static_cast<std::uint64_t>(options.integer("memory"));
    merged = merge_counts(inputs, memory, staging,
                          [&shown](std::uint64_t done, std::uint64_t total) { shown.show("merging, terms", done, total); });
    if (staging.was_there()) result.work = StepResult::Work::found;
  }
  report_step(
      options, "parts merge", result,
      [&] {
        return fmt::format("{} of {} parts, {} documents", merged.parts.size(), merged.all_parts,
                           digit_groups(merged.totals.documents));
      },
      [&](JsonWriter& json) {
        json.member("parts", merged.parts.size()).member("all_parts", merged.all_parts);
        json.member("documents", merged.totals.documents);
      });
  return ExitCode::ok;
}

}  // namespace

Command merge_step() { return command_of(merge_counts_options(), merge); }

}  // namespace inkling
