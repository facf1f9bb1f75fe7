// The options of `inkling score`, and their values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/doors/cli/option_table.hpp"
#include "io/doors/commands/score/teaching_options.hpp"
#include "io/search/score/pool_scan.hpp"
#include "io/search/score/score_output.hpp"

namespace inkling {

struct ScoreOptions : TeachingOptions {
  std::optional<std::int64_t> top;  // nothing: all documents, in order of rows
  ScoreOutputOptions output;
  std::optional<std::string> out_folder;  // the folder to make for the files of `output`
  ScanLayout layout = ScanLayout::automatic;
  bool measure_bandwidth = false;
};

/// --layout, of a scan.
[[nodiscard]] Option layout_option();
[[nodiscard]] OptionTable score_option_table();

/// Throws UsageError where options contradict each other or the terminal, or where an output would destroy an input.
[[nodiscard]] ScoreOptions score_options_of(const ParsedOptions& given);

}  // namespace inkling
