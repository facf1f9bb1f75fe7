// The command `inkling-bench scale`.
#pragma once

#include "io/cli/command_line.hpp"

namespace inkling::bench {

[[nodiscard]] Command scale_command();

}  // namespace inkling::bench
