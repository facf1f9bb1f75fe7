// `inkling parts join`: shards become a set.
#include <string>

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"
#include "io/base/process/build_info.hpp"
#include "io/doors/cli/output_guard.hpp"
#include "io/doors/steps/parts.hpp"
#include "io/doors/steps/step.hpp"
#include "io/parts/shards/join_set.hpp"

namespace inkling {
namespace {

OptionTable join_options() {
  return OptionTable(
      {"inkling parts join",
       "Makes a set of all shards of a plan. It is one file that names them, and is used as one large pool.",
       "inkling parts join shards/* --out set.json",
       {{"What goes out", {{"out", Path{}, "FILE", std::nullopt, "the set, which is written last"}, json_option()}}},
       {"SHARD...", "pools that inkling parts build made, in any order", 1, SIZE_MAX}});
}

int join(const ParsedOptions& options) {
  StepResult result = {.out = step_output(options, "the set to write")};
  OutputGuard guard;
  for (const std::string& shard : options.positionals()) guard.reads("SHARD", shard);
  guard.writes("--out", result.out);
  const SetFile set = joined_set(options.positionals(), result.out, program_version);
  write_sealed_output(result, set_file_text(set), "an inkling set");
  report_step(
      options, "parts join", result,
      [&] {
        return fmt::format("{} shards, {} documents, {} features, {} non-zeros", digit_groups(set.shards.size()),
                           digit_groups(set.rows), digit_groups(set.columns), digit_groups(set.nonzeros));
      },
      [&](JsonWriter& json) {
        json.member("shards", set.shards.size()).member("documents", set.rows);
        json.member("features", set.columns).member("nonzeros", set.nonzeros);
      });
  return ExitCode::ok;
}

}  // namespace

Command join_step() { return command_of(join_options(), join); }

}  // namespace inkling
