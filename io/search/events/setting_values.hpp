// The settings of a policy (engine/policy/policy_settings.hpp) as JSON, and as values that somebody said.
#pragma once

#include <ranges>
#include <string>
#include <string_view>

#include "engine/policy/policy_settings.hpp"
#include "io/base/wording/value_kind.hpp"

namespace inkling {

/// Those of every policy that can be taught: SettingOf::model.
[[nodiscard]] inline auto model_settings() {
  return policy_settings() |
         std::views::filter([](const PolicySetting& setting) { return setting.part == SettingOf::model; });
}

/// "norm-bound" for norm_bound: as command lines and logs have it.
[[nodiscard]] std::string dashed_name(const PolicySetting& setting);

/// What it expects, for help and for messages.
[[nodiscard]] OptionKind kind_of(const PolicySetting& setting);

/// Throws FormatError where the policy does not look at the setting, or the value is none for it; says what was expected.
void tell_setting(PolicyOptions& options, const Preset& policy, const PolicySetting& setting,
                  const SettingValue& value);

/// As JSON has it.
[[nodiscard]] std::string setting_text(const SettingValue& value);

/// What a JSON object of settings of a search says; where it says nothing of that, a document is chosen once. Throws
/// FormatError on what is none, and as tell_setting does.
[[nodiscard]] PolicyOptions options_in_json(const std::string& text, const Preset& policy);

/// Such an object: the settings at which the policy looks and that are not as a search has them by default.
[[nodiscard]] std::string options_text(const PolicyOptions& options, const Preset& policy);

/// "oful or ff-oful": the policies that look at it, of those that are offered.
[[nodiscard]] std::string users_of(
    const PolicySetting& setting, bool (*offered)(const Preset&) = [](const Preset&) { return true; });

/// " (did you mean norm_bound?)" for a name that no setting has, or nothing.
[[nodiscard]] std::string nearest_setting(std::string_view name);

}  // namespace inkling
