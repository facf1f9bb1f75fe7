// `inkling export`: a pool in the formats of other programs.
#pragma once

#include "io/cli/command_line.hpp"

namespace inkling {

[[nodiscard]] Command export_command();

}  // namespace inkling
