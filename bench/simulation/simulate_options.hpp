// The options of `inkling-bench simulate`, and what they say put into an experiment.
#pragma once

#include <vector>

#include "bench/simulation/experiment.hpp"
#include "io/cli/option_table.hpp"

namespace inkling::bench {

[[nodiscard]] OptionTable simulate_option_table();

/// Throws UsageError where options contradict each other.
[[nodiscard]] ExperimentOptions experiment_options(const ParsedOptions& options);

/// One contestant for each policy and scoring; with --tune, one for each ridge of the paper's grid where the
/// policy is one that the paper tunes.
[[nodiscard]] std::vector<Contestant> contestants_of(const ParsedOptions& options);

/// Of contestants that differ in the ridge alone, the one of least mean regret; the order stays.
[[nodiscard]] std::vector<ContestantResult> best_ridges(const std::vector<ContestantResult>& results);

}  // namespace inkling::bench
