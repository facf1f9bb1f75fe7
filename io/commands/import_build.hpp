// The part of `inkling build` that takes a matrix as it is.
#pragma once

#include <string>

#include "io/cli/option_table.hpp"

namespace inkling {

/// Requires: a format of matrices. Returns the exit code.
[[nodiscard]] int build_matrix(const ParsedOptions& options, const std::string& format);

}  // namespace inkling
