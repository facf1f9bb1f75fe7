// The settings of a policy (engine/policy/policy_settings.hpp) as options of a command line, as JSON, and as values.
#pragma once

#include <string>
#include <vector>

#include "engine/policy/policy_settings.hpp"
#include "io/cli/option_table.hpp"

namespace inkling {

/// "norm-bound" for norm_bound, with its range, its default and its sentence.
[[nodiscard]] Option option_of(const PolicySetting& setting);

/// Those of every policy that can be taught: SettingOf::model.
[[nodiscard]] std::vector<Option> learning_options();

/// What `option`, which was made of this setting, has on a command line. Requires: given, or there by default.
[[nodiscard]] SettingValue setting_of(const ParsedOptions& given, const PolicySetting& setting,
                                      const std::string& option);

/// What a command line with `learning_options` says. Throws UsageError where an option is given at which the policy does
/// not look; it names those that do and that are `offered`.
[[nodiscard]] PolicyOptions learning_options_of(const ParsedOptions& given, const Preset& policy,
                                                bool (*offered)(const Preset&));

/// The options of these that were given, as a JSON object, in order of the table.
[[nodiscard]] std::string learning_options_text(const ParsedOptions& given);

/// What such a text says. Throws FormatError on what is no such text, and as tell_setting does.
[[nodiscard]] PolicyOptions learning_options_in(const std::string& text, const Preset& policy);

/// Throws FormatError where the policy does not look at the setting, or the value is none for it; says what was expected.
void tell_setting(PolicyOptions& options, const Preset& policy, const PolicySetting& setting,
                  const SettingValue& value);

/// As JSON has it.
[[nodiscard]] std::string setting_text(const SettingValue& value);

/// "oful or ff-oful": the policies that look at it, of those that are offered.
[[nodiscard]] std::string users_of(
    const PolicySetting& setting, bool (*offered)(const Preset&) = [](const Preset&) { return true; });

/// " (did you mean norm_bound?)" for a name that no setting has, or nothing.
[[nodiscard]] std::string nearest_setting(std::string_view name);

}  // namespace inkling
