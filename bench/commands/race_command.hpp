// The command `inkling-bench race`.
#pragma once

#include "io/cli/command_line.hpp"

namespace inkling::bench {

[[nodiscard]] Command race_command();

}  // namespace inkling::bench
