// `inkling parts merge-scores`: the scores of all shards of a set, printed as `inkling score` prints those of the set.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/stopwatch.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/commands/score/score_output_options.hpp"
#include "io/doors/steps/parts.hpp"
#include "io/parts/model/part_merge.hpp"

namespace inkling {
namespace {

constexpr std::int64_t kUsualTop = 10;

OptionTable merge_scores_option_table() {
  return OptionTable(
      {"inkling parts merge-scores",
       "Prints the best documents of all shards. They are what `inkling score` prints of the set, byte for "
       "byte.",
       "inkling parts merge-scores scores/* --top 20 --format table",
       {score_output_options()},
       {"SCORES...", "folders that inkling parts score made of every shard of one set by one model, in any order", 1, SIZE_MAX}});
}

std::int64_t top_of(const ParsedOptions& given, const MergedParts& parts) {
  if (!given.has("top")) return std::min(kUsualTop, parts.most());
  const std::int64_t top = given.integer("top");
  if (top > parts.most())
    throw UsageError::option("top", fmt::format("expected at most {}, as the parts were made with, found {}", parts.most(), top));
  return top;
}

int merge_scores(const ParsedOptions& given) {
  const Stopwatch watch;
  const MergedParts parts(given.positionals());
  const std::int64_t top = top_of(given, parts);
  if (given.flag("explain") && !parts.explains()) throw UsageError::option("explain", "expected parts that were made with it");
  ScoreOutputOptions options = score_output_options_of(given, parts.users());
  check_score_outputs(options, given.flag("split"), files_called("the part", given.positionals()), {});
  options.print = [](std::string_view text) { fmt::print("{}", text); };
  if (given.flag("split")) make_folder(given.text("out"));
  ScoreOutput output(parts.users(), std::move(options));
  parts.write(top, output);
  output.close();
  tell(fmt::format("inkling parts merge-scores: {} of {} for {} in {:.3f} s\n",
                   counted(static_cast<std::int64_t>(parts.parts()), "part", "parts"),
                   counted(parts.documents(), "document", "documents"), counted(std::ssize(parts.users()), "user", "users"),
                   watch.seconds()));
  return ExitCode::ok;
}

}  // namespace

Command merge_scores_step() { return command_of(merge_scores_option_table(), merge_scores); }

}  // namespace inkling
