// `inkling info`: what is in a pool, at a glance.
#pragma once

#include "io/cli/command_line.hpp"

namespace inkling {

[[nodiscard]] Command info_command();

}  // namespace inkling
