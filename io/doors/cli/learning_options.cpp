#include "io/doors/cli/learning_options.hpp"

#include <cstdint>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include "io/doors/cli/usage_error.hpp"

namespace inkling {
namespace {

// The default, as a person would type it.
std::optional<std::string> default_of(const PolicySetting& setting) {
  const auto* const real = std::get_if<RealSetting>(&setting.kind);
  if (real != nullptr && real->has_rule) return std::nullopt;
  const SettingValue value = setting_in({}, setting);
  if (const auto* const number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* const name = std::get_if<std::string>(&value)) return *name;
  return std::nullopt;
}

}  // namespace

Option option_of(const PolicySetting& setting) {
  return {dashed_name(setting), kind_of(setting), std::string(setting.symbol), default_of(setting), std::string(setting.help)};
}

std::vector<Option> learning_options() {
  std::vector<Option> options;
  for (const PolicySetting& setting : model_settings()) options.push_back(option_of(setting));
  return options;
}

std::vector<std::string> names_of_policies(bool (*offered)(const Preset&)) {
  std::vector<std::string> names;
  for (const Preset& preset : presets())
    if (offered(preset)) names.emplace_back(preset.name);
  return names;
}

std::string help_on_policies(bool (*offered)(const Preset&)) {
  std::string help;
  for (const Preset& preset : presets())
    if (offered(preset)) help += fmt::format("{}{}: {}", help.empty() ? "" : "; ", preset.name, preset.summary);
  return help;
}

SettingValue setting_of(const ParsedOptions& given, const PolicySetting& setting, const std::string& option) {
  if (std::holds_alternative<ChoiceSetting>(setting.kind)) return given.text(option);
  if (std::holds_alternative<FlagSetting>(setting.kind)) return given.flag(option);
  if (std::holds_alternative<WholeSetting>(setting.kind)) return given.integer(option);
  if (std::holds_alternative<RealSetting>(setting.kind)) return given.real(option);
  const std::vector<std::int64_t>& listed = given.integers(option);
  return std::vector<FeatureId>(listed.begin(), listed.end());
}

void take_given(PolicyOptions& options, const ParsedOptions& given, const Preset& policy, const PolicySetting& setting,
                bool (*offered)(const Preset&)) {
  const std::string name = dashed_name(setting);
  if (!given.given(name)) return;
  if (!setting.used_by(policy))
    throw UsageError::option(name, fmt::format("expected with --policy {}, not {}", users_of(setting, offered), policy.name));
  tell_setting(options, policy, setting, setting_of(given, setting, name));
}

PolicyOptions learning_options_of(const ParsedOptions& given, const Preset& policy, bool (*offered)(const Preset&)) {
  PolicyOptions options;
  for (const PolicySetting& setting : model_settings()) take_given(options, given, policy, setting, offered);
  return options;
}

std::string learning_options_text(const ParsedOptions& given) {
  std::string members;
  for (const PolicySetting& setting : model_settings()) {
    const std::string name = dashed_name(setting);
    if (!given.given(name)) continue;
    members += fmt::format("{}\"{}\":{}", members.empty() ? "" : ",", name, setting_text(setting_of(given, setting, name)));
  }
  return "{" + members + "}";
}

}  // namespace inkling
