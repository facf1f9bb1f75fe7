// `inkling-bench paper`: the paper's figures, reproduced and questioned.
#pragma once

#include "io/cli/command_line.hpp"

namespace inkling::bench {

[[nodiscard]] Command paper_command();

}  // namespace inkling::bench
