// How a policy learns, as options of a command line.
#pragma once

#include <string>
#include <vector>

#include "engine/policy/policy_options.hpp"
#include "engine/policy/presets.hpp"
#include "io/doors/cli/option_table.hpp"

namespace inkling {

/// The options of every policy that can be taught: the ridge, the noise, the radius and what soft marks are told.
[[nodiscard]] std::vector<Option> learning_options();

/// What a command line with `learning_options` says. Throws UsageError where an option is given at which the policy does
/// not look; it names those that do and that are `offered`.
[[nodiscard]] PolicyOptions learning_options_of(const ParsedOptions& given, const Preset& policy,
                                                bool (*offered)(const Preset&));

/// The options of these that were given, as a JSON object, which
/// `read_policy_settings` reads.
[[nodiscard]] std::string learning_options_text(const ParsedOptions& given);

}  // namespace inkling
