// How scores are written, as options of the commands that print them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/doors/cli/option_table.hpp"
#include "io/doors/commands/output_check.hpp"
#include "io/search/score/score_output.hpp"

namespace inkling {

/// The highest --top.
inline constexpr std::int64_t kMostRanked = 100'000'000;

/// --top, --format, --explain, --out, --split, in this order.
[[nodiscard]] OptionGroup score_output_options();

/// Users are named by their files of events. Throws UsageError where options contradict each other or the terminal.
[[nodiscard]] ScoreOutputOptions score_output_options_of(const ParsedOptions& given, const std::vector<std::string>& users);

/// Throws UsageError where an output would destroy an input, a pool or events.
void check_score_outputs(const ScoreOutputOptions& output, bool in_folder, const std::vector<NamedFile>& inputs,
                         const std::vector<std::string>& pools);

}  // namespace inkling
