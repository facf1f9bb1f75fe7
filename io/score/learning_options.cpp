#include "io/score/learning_options.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/file/json_places.hpp"
#include "io/file/json_text.hpp"
#include "io/file/json_writer.hpp"
#include "io/file/strict_number.hpp"
#include "io/file/utf8.hpp"

namespace inkling {
namespace {

auto model_settings() {
  return policy_settings() |
         std::views::filter([](const PolicySetting& setting) { return setting.part == SettingOf::model; });
}

struct KindOfOption {
  OptionKind operator()(const RealSetting& real) const {
    const auto end = [](bool taken) { return taken ? Real::End::included : Real::End::excluded; };
    return Real{real.low, real.high, end(real.takes_low), end(real.takes_high)};
  }
  OptionKind operator()(const WholeSetting&) const { return Integer{}; }
  OptionKind operator()(const FlagSetting&) const { return Flag{}; }
  OptionKind operator()(const FeaturesSetting&) const { return IntegerList{}; }
  OptionKind operator()(const ChoiceSetting& choice) const {
    return Choice{{choice.names.begin(), choice.names.end()}};
  }
};

// The default, as a person would type it.
std::optional<std::string> default_of(const PolicySetting& setting) {
  const auto* const real = std::get_if<RealSetting>(&setting.kind);
  if (real != nullptr && real->has_rule) return std::nullopt;
  const SettingValue value = setting_in({}, setting);
  if (const auto* const number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* const name = std::get_if<std::string>(&value)) return *name;
  return std::nullopt;
}

[[noreturn]] void refuse(const PolicySetting& setting, std::string_view got) {
  throw FormatError(std::string(setting.name),
                    fmt::format("expected {}, got {}", expectation(option_of(setting).kind), got));
}

// Nothing but numbers, texts and truth values: no setting of a model is a list.
SettingValue value_in_json(const PolicySetting& setting, std::string_view text) {
  const JsonKind kind = json_kind(text);
  if (kind == JsonKind::string) return string_of_json(text);
  if (kind == JsonKind::boolean) return text == "true";
  if (const std::optional<std::int64_t> whole = parse_integer(text)) return *whole;
  if (const std::optional<double> real = parse_real(text)) return *real;
  refuse(setting, text);
}

}  // namespace

Option option_of(const PolicySetting& setting) {
  std::string name(setting.name);
  std::ranges::replace(name, '_', '-');
  return {std::move(name), std::visit(KindOfOption{}, setting.kind), std::string(setting.symbol),
          default_of(setting), std::string(setting.help)};
}

std::vector<Option> learning_options() {
  std::vector<Option> options;
  for (const PolicySetting& setting : model_settings()) options.push_back(option_of(setting));
  return options;
}

SettingValue setting_of(const ParsedOptions& given, const PolicySetting& setting, const std::string& option) {
  if (std::holds_alternative<ChoiceSetting>(setting.kind)) return given.text(option);
  if (std::holds_alternative<FlagSetting>(setting.kind)) return given.flag(option);
  if (std::holds_alternative<WholeSetting>(setting.kind)) return given.integer(option);
  if (std::holds_alternative<RealSetting>(setting.kind)) return given.real(option);
  const std::vector<std::int64_t>& listed = given.integers(option);
  return std::vector<FeatureId>(listed.begin(), listed.end());
}

PolicyOptions learning_options_of(const ParsedOptions& given, const Preset& policy,
                                  bool (*offered)(const Preset&)) {
  PolicyOptions options;
  for (const PolicySetting& setting : model_settings()) {
    const std::string name = option_of(setting).name;
    if (!given.given(name)) continue;
    if (!setting.used_by(policy))
      throw UsageError::option(
          name, fmt::format("expected with --policy {}, not {}", users_of(setting, offered), policy.name));
    tell_setting(options, policy, setting, setting_of(given, setting, name));
  }
  return options;
}

std::string learning_options_text(const ParsedOptions& given) {
  std::string members;
  for (const PolicySetting& setting : model_settings()) {
    const std::string name = option_of(setting).name;
    if (!given.given(name)) continue;
    members += fmt::format("{}\"{}\":{}", members.empty() ? "" : ",", name,
                           setting_text(setting_of(given, setting, name)));
  }
  return "{" + members + "}";
}

PolicyOptions learning_options_in(const std::string& text, const Preset& policy) {
  if (json_fault(text) || !text.starts_with('{')) {
    throw FormatError("the options of a policy", "expected a JSON object, found " + quoted_text(text));
  }
  PolicyOptions options;
  for (JsonPieces pieces({text, 0}); pieces.has_next();) {
    const JsonMember member = pieces.next_member();
    const std::string name = string_of_json(member.name.text);
    const PolicySetting* const setting = find_setting(name);
    if (setting == nullptr || setting->part != SettingOf::model)
      throw FormatError(
          "the option " + quoted_text(name),
          "expected an option of the model" + (setting == nullptr ? nearest_setting(name) : std::string()));
    tell_setting(options, policy, *setting, value_in_json(*setting, member.value.text));
  }
  return options;
}

void tell_setting(PolicyOptions& options, const Preset& policy, const PolicySetting& setting,
                  const SettingValue& value) {
  const std::string name(setting.name);
  if (!setting.used_by(policy))
    throw FormatError(name,
                      fmt::format("expected with the policy {}, not {}", users_of(setting), policy.name));
  if (!set_setting(options, setting, value)) refuse(setting, setting_text(value));
}

std::string setting_text(const SettingValue& value) {
  if (const auto* const features = std::get_if<std::vector<FeatureId>>(&value))
    return fmt::format("[{}]", fmt::join(*features, ", "));
  if (const auto* const number = std::get_if<double>(&value)) return number_text(*number);
  JsonWriter json;
  if (const auto* const name = std::get_if<std::string>(&value)) return json.value(*name).take();
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return json.value(*whole).take();
  return json.value(std::get<bool>(value)).take();
}

std::string users_of(const PolicySetting& setting, bool (*offered)(const Preset&)) {
  std::string users;
  for (const Preset& preset : presets() | std::views::filter(offered))
    if (setting.used_by(preset)) users += fmt::format("{}{}", users.empty() ? "" : " or ", preset.name);
  return users;
}

std::string nearest_setting(std::string_view name) {
  std::vector<std::string> names;
  for (const PolicySetting& setting : policy_settings()) names.emplace_back(setting.name);
  return did_you_mean("", name, names);
}

}  // namespace inkling
