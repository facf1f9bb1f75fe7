// What a policy can be told: the names and ranges that all doors share, and the settings of a kept search as JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/policy/presets.hpp"
#include "io/base/wording/value_kind.hpp"

namespace inkling {

/// A setting that is a number.
struct PolicySetting {
  std::string_view name;  ///< as options of commands and logs of searches call it
  Real range;
  double& (*in)(PolicyOptions&);
  bool (*is_used)(const OptionsUsed&);  ///< whether a preset looks at it
};

[[nodiscard]] std::span<const PolicySetting> policy_settings();

/// Requires: the name of one of these.
[[nodiscard]] const PolicySetting& policy_setting(std::string_view name);

/// The settings at which the preset looks and that are not the defaults, as a JSON object.
[[nodiscard]] std::string policy_settings_text(const PolicyOptions& options, const Preset& preset);

/// What such a text says; where it says nothing of that, a document is chosen once. Throws FormatError where it is none, or
/// says something at which the preset does not look.
[[nodiscard]] PolicyOptions read_policy_settings(std::string_view text, const Preset& preset);

}  // namespace inkling
