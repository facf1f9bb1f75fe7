// `inkling-bench simulate`: policies search a synthetic pool for what a simulated reader likes.
#pragma once

#include "io/cli/command_line.hpp"

namespace inkling::bench {

[[nodiscard]] Command simulate_command();

}  // namespace inkling::bench
