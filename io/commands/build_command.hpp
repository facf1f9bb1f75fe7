// `inkling build`: text, or a matrix that is there already, becomes a pool.
#pragma once

#include "io/cli/command_line.hpp"

namespace inkling {

[[nodiscard]] Command build_command();

}  // namespace inkling
