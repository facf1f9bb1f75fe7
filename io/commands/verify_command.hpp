// `inkling verify`: whether a pool is still what was written.
#pragma once

#include "io/cli/command_line.hpp"

namespace inkling {

[[nodiscard]] Command verify_command();

}  // namespace inkling
