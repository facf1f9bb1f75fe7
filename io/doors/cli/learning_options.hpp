// The settings of a policy (engine/policy/policy_settings.hpp) as options of a command line.
#pragma once

#include <string>
#include <vector>

#include "io/doors/cli/option_table.hpp"
#include "io/search/events/setting_values.hpp"

namespace inkling {

/// "norm-bound" for norm_bound, with its range, its default and its sentence.
[[nodiscard]] Option option_of(const PolicySetting& setting);

/// The options of all policies that can learn from events: SettingOf::model.
[[nodiscard]] std::vector<Option> learning_options();

/// The names of the policies that are `offered`, and what each of them does: "inkling: ...; oful: ...".
[[nodiscard]] std::vector<std::string> names_of_policies(bool (*offered)(const Preset&));
[[nodiscard]] std::string help_on_policies(bool (*offered)(const Preset&));

/// The value of this setting on a command line, where it is called `option`. Requires: given, or there by default.
[[nodiscard]] SettingValue setting_of(const ParsedOptions& given, const PolicySetting& setting, const std::string& option);

/// Sets the setting if the command line gives it. Throws as the next.
void take_given(PolicyOptions& options, const ParsedOptions& given, const Preset& policy, const PolicySetting& setting,
                bool (*offered)(const Preset&));

/// The settings that a command line with `learning_options` gives. Throws UsageError for a setting that the policy does not use;
/// the message names the `offered` policies that use it.
[[nodiscard]] PolicyOptions learning_options_of(const ParsedOptions& given, const Preset& policy, bool (*offered)(const Preset&));

/// The learning options that were given, as a JSON object, in order of the table.
[[nodiscard]] std::string learning_options_text(const ParsedOptions& given);

}  // namespace inkling
