// `inkling-bench demo`: the main job shown in a few seconds, to somebody who has never seen it.
#pragma once

#include "io/cli/command_line.hpp"

namespace inkling::bench {

[[nodiscard]] Command demo_command();

}  // namespace inkling::bench
