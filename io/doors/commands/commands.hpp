// The commands of the program `inkling`, each in a source file of its own that says what it does.
#pragma once

#include "io/doors/cli/command_line.hpp"

namespace inkling {

struct ShardOptions;  // io/doors/commands/score/score_options.hpp

[[nodiscard]] Command build_command();
[[nodiscard]] Command info_command();
[[nodiscard]] Command verify_command();
[[nodiscard]] Command export_command();
[[nodiscard]] Command score_command();
[[nodiscard]] Command show_command();
[[nodiscard]] Command search_command();
[[nodiscard]] Command serve_command();
[[nodiscard]] Command sessions_command();
[[nodiscard]] Command about_command();

// Steps of work on many machines, of io/doors/steps/. Without INKLING_PARTS only the last two are there, and refuse.
[[nodiscard]] Command plan_command();
[[nodiscard]] Command count_command();
[[nodiscard]] Command merge_counts_command();
[[nodiscard]] Command join_command();
[[nodiscard]] Command learn_command();
[[nodiscard]] Command merge_scores_command();
/// What `inkling build` does where it is given a plan.
[[nodiscard]] int build_shard(const ParsedOptions& options);
/// What `inkling score` does where it is given a model: makes the folder with the scores of one shard, or finds it there.
/// Throws FormatError where model, shard and set do not belong together.
void score_shard(const ShardOptions& options);

}  // namespace inkling
