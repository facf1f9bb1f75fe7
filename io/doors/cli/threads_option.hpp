// --threads: the option of every command that works in parallel.
#pragma once

#include "io/doors/cli/option_table.hpp"

namespace inkling {

[[nodiscard]] Option threads_option();

/// The number of threads that --threads requests, or all that this process may use and can have.
[[nodiscard]] int threads_of(const ParsedOptions& options);

}  // namespace inkling
