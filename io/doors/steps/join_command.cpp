// `inkling parts join`: shards become a set.
#include <string>

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/process/build_info.hpp"
#include "io/corpus/pool/format/set_copies.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "io/doors/cli/output_guard.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/commands/build_report.hpp"
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
       {{"What goes out",
         {{"out", Path{}, "FILE", std::nullopt, "the set, which is written last, after FILE.copies.npy if some texts are equal"},
          {"keep-duplicates", Flag{}, "", std::nullopt, "searches offer equal texts each; otherwise each text once"},
          json_option()}}},
       {"SHARD...", "pools that inkling parts build made, in any order", 1, SIZE_MAX}});
}

int join(const ParsedOptions& options) {
  StepResult result = {.out = step_output(options, "the set to write")};
  OutputGuard guard;
  for (const std::string& shard : options.positionals()) guard.reads("SHARD", shard);
  guard.writes("--out", result.out);
  SetFile set = joined_set(options.positionals(), result.out, program_version);
  const CopiedSetRows copies =
      compare_texts(set, result.out, options.flag("keep-duplicates") ? EqualTexts::kept_apart : EqualTexts::noted);
  const std::string text = set_file_text(set);
  refuse_other_sealed_output(result.out, text, "an inkling set");
  if (!copies.rows.empty()) {
    OutputFile file(path_in_set(result.out, set.copies->path));
    file.append(set_copies_bytes(copies));
    file.close();
  }
  write_sealed_output(result, text, "an inkling set");
  if (!set.copies) tell(fmt::format("inkling parts join: {}\n", kUncomparedTexts));
  report_step(
      options, "parts join", result,
      [&] {
        return fmt::format("{} shards, {} documents, {} features, {} non-zeros{}", digit_groups(set.shards.size()),
                           digit_groups(set.rows), digit_groups(set.columns), digit_groups(set.nonzeros),
                           copies.rows.empty() ? "" : "; " + copies_text(std::ssize(copies.rows)));
      },
      [&](JsonWriter& json) {
        json.member("shards", set.shards.size()).member("documents", set.rows);
        json.member("features", set.columns).member("nonzeros", set.nonzeros);
        if (set.copies) json.member("equal_texts", set.copies->count);
      });
  return ExitCode::ok;
}

}  // namespace

Command join_step() { return command_of(join_options(), join); }

}  // namespace inkling
