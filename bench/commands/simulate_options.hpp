// The options of `inkling-bench simulate`, and the study that they ask for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/studies/simulation.hpp"
#include "bench/worlds/searched_pool.hpp"
#include "io/doors/cli/option_table.hpp"

namespace inkling::bench {

[[nodiscard]] OptionTable simulate_option_table();

/// Everything that the options say. Lifetime: `study` lends `searched`; a simulation may move.
struct Simulation {
  std::optional<SearchedPool> searched;  ///< where --pool names one
  WorldOptions world;
  /// An entrant for each policy and scoring; with --tune, for each ridge of the paper's grid where the policy
  /// is one that the paper tunes.
  Study study;
  std::vector<std::string> notes;  ///< what was left out and why, a line each; for standard error
};

/// Opens the pool where one is named: throws what `open_searched_pool` throws, and UsageError where options
/// contradict each other or the pool.
[[nodiscard]] Simulation simulation_of(const ParsedOptions& options);

/// Of entrants that differ in the ridge alone, the one of least mean regret; the order stays.
[[nodiscard]] std::vector<EntrantResult> best_ridges(const std::vector<EntrantResult>& results);

}  // namespace inkling::bench
