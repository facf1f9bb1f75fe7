// The search that `inkling build --rated-by` begins with the ratings that records brought with them.
#pragma once

#include <string>

#include "io/doors/cli/option_table.hpp"

namespace inkling {

/// Before anything is built. Throws UsageError where searches of the pool are kept already, or fields are not.
void check_rated_by(const ParsedOptions& options, const std::string& pool);

/// A line for a person: which search was begun or, without --rated-by, which field holds ratings; empty where none does. Throws
/// FormatError where the field is not there or holds something else.
[[nodiscard]] std::string take_ratings(const ParsedOptions& options, const std::string& pool);

}  // namespace inkling
