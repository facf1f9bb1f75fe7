// The options of `inkling-bench simulate`, and the study that they describe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/studies/simulation.hpp"
#include "bench/worlds/searched_pool.hpp"
#include "engine/policy/policy_settings.hpp"
#include "io/doors/cli/option_table.hpp"

namespace inkling::bench {

[[nodiscard]] OptionTable simulate_option_table();

/// A setting of policies as an option. If the world has a property of the same name, the option is the value that policies
/// assume: --noise is the world's, --assumed-noise theirs.
struct PolicyOption {
  const PolicySetting* setting = nullptr;
  Option option;
};

/// All settings except the bound on the norm (the world's) and those of a trial: given words, rounds, and whether documents are
/// shown again.
[[nodiscard]] std::vector<PolicyOption> policy_setting_options();

/// An option with the range and the default of this setting of policies.
[[nodiscard]] Option option_as(std::string_view setting, std::string name, std::string help);

/// Everything that the options say. Lifetime: `study` lends `searched`; a simulation may move.
struct Simulation {
  std::optional<SearchedPool> searched;  ///< where --pool names one
  WorldOptions world;
  /// An entrant for each policy and scoring; with --tune, for each ridge of the paper's grid where the policy
  /// is one that the paper tunes.
  Study study;
  std::vector<std::string> notes;  ///< what was left out and why, a line each, for standard error
};

/// Opens the pool, if one is named: throws what `open_searched_pool` throws, and UsageError if options
/// contradict each other or the pool.
[[nodiscard]] Simulation simulation_of(const ParsedOptions& options);

/// Keeps one of the entrants that differ only in the ridge: the one of least mean regret. The order stays.
[[nodiscard]] std::vector<EntrantResult> best_ridges(const std::vector<EntrantResult>& results);

}  // namespace inkling::bench
