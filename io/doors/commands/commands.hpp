// The commands of the program `inkling`, each in a source file of its own that says what it does.
#pragma once

#include "io/doors/cli/command_line.hpp"

namespace inkling {

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

}  // namespace inkling
