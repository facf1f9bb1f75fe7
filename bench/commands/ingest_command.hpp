// `inkling-bench ingest`: the speed from text to a pool, stage by stage, and beside another program's.
#pragma once

#include "io/cli/command_line.hpp"

namespace inkling::bench {

[[nodiscard]] Command ingest_command();

}  // namespace inkling::bench
