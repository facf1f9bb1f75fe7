#include "io/search/events/setting_values.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/core/errors.hpp"
#include "engine/core/nearest_name.hpp"
#include "io/base/file/json_places.hpp"
#include "io/base/file/json_text.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

struct KindOfOption {
  OptionKind operator()(const RealSetting& real) const {
    const auto end = [](bool taken) { return taken ? Real::End::included : Real::End::excluded; };
    return Real{real.low, real.high, end(real.takes_low), end(real.takes_high)};
  }
  OptionKind operator()(const WholeSetting&) const { return Integer{}; }
  OptionKind operator()(const FlagSetting&) const { return Flag{}; }
  OptionKind operator()(const FeaturesSetting&) const { return IntegerList{}; }
  OptionKind operator()(const ChoiceSetting& choice) const { return Choice{{choice.names.begin(), choice.names.end()}}; }
};

[[noreturn]] void refuse(const PolicySetting& setting, std::string_view got) {
  throw FormatError(std::string(setting.name), fmt::format("expected {}, got {}", expectation(kind_of(setting)), got));
}

SettingValue value_in_json(const PolicySetting& setting, std::string_view text) {
  const JsonKind kind = json_kind(text);
  if (kind == JsonKind::string) return string_of_json(text);
  if (kind == JsonKind::boolean) return text == "true";
  if (kind == JsonKind::array) {
    std::vector<FeatureId> features;
    for (JsonPieces pieces({text, 0}); pieces.has_next();) {
      const std::optional<std::int64_t> feature = parse_integer(pieces.next_element().text);
      if (!feature || *feature < 0 || *feature > std::numeric_limits<FeatureId>::max()) refuse(setting, text);
      features.push_back(static_cast<FeatureId>(*feature));
    }
    return features;
  }
  if (const std::optional<std::int64_t> whole = parse_integer(text)) return *whole;
  if (const std::optional<double> real = parse_real(text)) return *real;
  refuse(setting, text);
}

// The defaults of a search.
PolicyOptions default_options() {
  PolicyOptions options;
  options.with_replacement = false;
  return options;
}

}  // namespace

std::string dashed_name(const PolicySetting& setting) {
  std::string name(setting.name);
  std::ranges::replace(name, '_', '-');
  return name;
}

OptionKind kind_of(const PolicySetting& setting) { return std::visit(KindOfOption{}, setting.kind); }

PolicyOptions options_in_json(const std::string& text, const Preset& policy) {
  if (json_fault(text) || !text.starts_with('{'))
    throw FormatError("the options of a policy", "expected a JSON object, found " + quoted_text(text));
  PolicyOptions options = default_options();
  for (JsonPieces pieces({text, 0}); pieces.has_next();) {
    const JsonMember member = pieces.next_member();
    const std::string name = string_of_json(member.name.text);
    const PolicySetting* const setting = find_setting(name);
    if (setting == nullptr)
      throw FormatError("the option " + quoted_text(name), "expected a setting of a policy" + nearest_setting(name));
    tell_setting(options, policy, *setting, value_in_json(*setting, member.value.text));
  }
  return options;
}

std::string options_text(const PolicyOptions& options, const Preset& policy) {
  std::string members;
  for (const PolicySetting& setting : policy_settings()) {
    const SettingValue value = setting_in(options, setting);
    if (!setting.used_by(policy) || value == setting_in(default_options(), setting)) continue;
    members += fmt::format("{}\"{}\":{}", members.empty() ? "" : ",", dashed_name(setting), setting_text(value));
  }
  return "{" + members + "}";
}

void tell_setting(PolicyOptions& options, const Preset& policy, const PolicySetting& setting, const SettingValue& value) {
  const std::string name(setting.name);
  if (!setting.used_by(policy))
    throw FormatError(name, fmt::format("expected with the policy {}, not {}", users_of(setting), policy.name));
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
