// `inkling score`: what a person's events make of every document of a pool.
#pragma once

#include "io/cli/command_line.hpp"

namespace inkling {

[[nodiscard]] Command score_command();

}  // namespace inkling
