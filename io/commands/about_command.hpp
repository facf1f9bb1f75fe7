// `inkling about`: which build this is and what it runs on.
#pragma once

#include "io/cli/command_line.hpp"

namespace inkling {

[[nodiscard]] Command about_command();

}  // namespace inkling
