// `inkling-bench corpus`: synthetic text of any size, for whatever reads text.
#pragma once

#include "io/cli/command_line.hpp"

namespace inkling::bench {

[[nodiscard]] Command corpus_command();

}  // namespace inkling::bench
