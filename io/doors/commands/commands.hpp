// The commands of the program `inkling`, each in a source file of its own that says what it does.
#pragma once

#include <span>
#include <string>

#include "io/corpus/from_text/text_builder.hpp"
#include "io/doors/cli/command_line.hpp"

namespace inkling {

[[nodiscard]] Command build_command();
/// Builds a pool of records with a text, by the arguments after `inkling build`, without a summary; uses `--tokens dictionary` if
/// the first texts lack blanks.
[[nodiscard]] TextBuildSummary build_records(std::span<const std::string> args);
[[nodiscard]] Command add_command();
[[nodiscard]] Command info_command();
[[nodiscard]] Command verify_command();
[[nodiscard]] Command export_command();
[[nodiscard]] Command score_command();
[[nodiscard]] Command show_command();
[[nodiscard]] Command search_command();
[[nodiscard]] Command serve_command();
[[nodiscard]] Command sessions_command();
[[nodiscard]] Command evaluate_command();
[[nodiscard]] Command about_command();

}  // namespace inkling
