// The settings of a policy (engine/policy/policy_settings.hpp), read from JSON or from values and written as JSON.
#pragma once

#include <ranges>
#include <string>
#include <string_view>

#include "engine/policy/policy_settings.hpp"
#include "io/base/wording/value_kind.hpp"

namespace inkling {

/// The settings of policies that can learn from events: SettingOf::model.
[[nodiscard]] inline auto model_settings() {
  return policy_settings() | std::views::filter([](const PolicySetting& setting) { return setting.part == SettingOf::model; });
}

/// The name on command lines and in logs: "norm-bound" for norm_bound.
[[nodiscard]] std::string dashed_name(const PolicySetting& setting);

/// Which values the setting takes, for help and for messages.
[[nodiscard]] OptionKind kind_of(const PolicySetting& setting);

/// Sets the setting in `options`. Throws FormatError, which says what was expected, if the policy does not use the setting or
/// the value is not valid for it.
void tell_setting(PolicyOptions& options, const Preset& policy, const PolicySetting& setting, const SettingValue& value);

/// The value as JSON.
[[nodiscard]] std::string setting_text(const SettingValue& value);

/// Reads the settings of a search from a JSON object. By default a document is chosen at most once. Throws FormatError if the
/// text is not such an object, and as tell_setting does.
[[nodiscard]] PolicyOptions options_in_json(const std::string& text, const Preset& policy);

/// Writes such an object: the settings that the policy uses and that differ from the defaults of a search.
[[nodiscard]] std::string options_text(const PolicyOptions& options, const Preset& policy);

/// "oful or ff-oful": the policies that use the setting, among those that are offered.
[[nodiscard]] std::string users_of(
    const PolicySetting& setting, bool (*offered)(const Preset&) = [](const Preset&) { return true; });

/// " (did you mean norm_bound?)" for a name that no setting has, or nothing.
[[nodiscard]] std::string nearest_setting(std::string_view name);

}  // namespace inkling
