// The steps of work on many machines, `inkling parts STEP`, each in a source file of its own that says what it does.
#pragma once

#include "io/doors/cli/command_line.hpp"

namespace inkling {

[[nodiscard]] Command plan_step();
[[nodiscard]] Command count_step();
[[nodiscard]] Command merge_step();
[[nodiscard]] Command build_step();
[[nodiscard]] Command join_step();
[[nodiscard]] Command learn_step();
[[nodiscard]] Command score_step();
[[nodiscard]] Command merge_scores_step();

/// All steps, in their order.
[[nodiscard]] CommandGroup parts_of_work();

}  // namespace inkling
