// A programme of figures as a command: `inkling-bench paper`, `inkling-bench beyond`.
#pragma once

#include "bench/studies/programme.hpp"
#include "io/cli/command_line.hpp"

namespace inkling::bench {

/// Lifetime: lends the programme.
[[nodiscard]] Command programme_command(const Programme& programme);

}  // namespace inkling::bench
