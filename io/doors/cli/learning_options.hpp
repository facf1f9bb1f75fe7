// The settings of a policy (engine/policy/policy_settings.hpp) as options of a command line.
#pragma once

#include <string>
#include <vector>

#include "io/doors/cli/option_table.hpp"
#include "io/search/events/setting_values.hpp"

namespace inkling {

/// "norm-bound" for norm_bound, with its range, its default and its sentence.
[[nodiscard]] Option option_of(const PolicySetting& setting);

/// Those of every policy that can be taught: SettingOf::model.
[[nodiscard]] std::vector<Option> learning_options();

/// The names of the policies that are `offered`, and what each of them does: "inkling: ...; oful: ...".
[[nodiscard]] std::vector<std::string> names_of_policies(bool (*offered)(const Preset&));
[[nodiscard]] std::string help_on_policies(bool (*offered)(const Preset&));

/// The value that a command line gives this setting by `option`. Requires: given, or there by default.
[[nodiscard]] SettingValue setting_of(const ParsedOptions& given, const PolicySetting& setting, const std::string& option);

/// What a command line with `learning_options` says. Throws UsageError where an option is given at which the policy does
/// not look; it names those that do and that are `offered`.
[[nodiscard]] PolicyOptions learning_options_of(const ParsedOptions& given, const Preset& policy, bool (*offered)(const Preset&));

/// The options of these that were given, as a JSON object, in order of the table.
[[nodiscard]] std::string learning_options_text(const ParsedOptions& given);

}  // namespace inkling
