// `inkling-bench drift`: what a million rewards do to the last digits of a model.
#pragma once

#include <string>

#include "bench/speed/drift.hpp"
#include "io/cli/command_line.hpp"

namespace inkling::bench {

[[nodiscard]] Command drift_command();

/// A table for a person, with a line break at the end of each line.
[[nodiscard]] std::string drift_table(const DriftOptions& options, const DriftReport& report);

/// One JSON object on one line.
[[nodiscard]] std::string drift_json(const DriftOptions& options, const DriftReport& report);

}  // namespace inkling::bench
