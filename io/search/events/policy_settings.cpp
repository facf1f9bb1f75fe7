#include "io/search/events/policy_settings.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "engine/model/linear_model.hpp"
#include "io/base/file/json_places.hpp"
#include "io/base/file/json_text.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

// The precision of a word grows by 4 up to three times while it is shown and not marked.
constexpr double kLargestUnmarkedPrecision = 1e58;

constexpr Real kPrecision = Real::from_to(kSmallestRidge, kLargestRidge);

bool uses_ridge(const OptionsUsed& uses) { return uses.ridge; }
bool uses_soft_marks(const OptionsUsed& uses) { return uses.soft_marks; }
bool uses_confidence(const OptionsUsed& uses) { return !uses.word_ratings; }

// Of a choice among given documents, and of presets that need something beforehand.
constexpr std::string_view kReplacement = "with-replacement";
constexpr std::string_view kFirstRounds = "first-rounds";
constexpr std::string_view kExpectedRounds = "expected-rounds";
constexpr std::string_view kGiven = "given";
constexpr std::string_view kRadius = "radius";

constexpr std::array kSettings = {
    PolicySetting{"ridge", kPrecision, [](PolicyOptions& options) -> double& { return options.ridge; },
                  uses_ridge},
    PolicySetting{"noise", Real::from_to(0.0, 1e6),
                  [](PolicyOptions& options) -> double& { return options.confidence.noise; },
                  uses_confidence},
    PolicySetting{"norm-bound", Real::from_to(0.0, 1e6),
                  [](PolicyOptions& options) -> double& { return options.confidence.norm_bound; },
                  uses_confidence},
    PolicySetting{"delta", Real::between(0.0, 1.0),
                  [](PolicyOptions& options) -> double& { return options.confidence.delta; },
                  uses_confidence},
    PolicySetting{"marked-precision", kPrecision,
                  [](PolicyOptions& options) -> double& { return options.soft_marks.marked_precision; },
                  uses_soft_marks},
    PolicySetting{"unmarked-precision", Real::from_to(kSmallestRidge, kLargestUnmarkedPrecision),
                  [](PolicyOptions& options) -> double& { return options.soft_marks.unmarked_precision; },
                  uses_soft_marks},
    PolicySetting{"mark-probability", Real::above_up_to(0.0, 1.0),
                  [](PolicyOptions& options) -> double& { return options.soft_marks.mark_probability; },
                  uses_soft_marks},
};

[[noreturn]] void refuse(std::string_view name, const std::string& expected, const JsonPiece& found) {
  throw FormatError(fmt::format("the setting {}", name),
                    fmt::format("expected {}, found {}", expected, quoted_text(found.text)));
}

std::int64_t whole_in(std::string_view name, const JsonPiece& value, std::int64_t most) {
  const std::optional<std::int64_t> number = parse_integer(value.text);
  if (!number || *number < 0 || *number > most)
    refuse(name, fmt::format("a whole number from 0 to {}", most), value);
  return *number;
}

void read_number(const PolicySetting& setting, const Preset& preset, const JsonPiece& value,
                 PolicyOptions& options) {
  if (!setting.is_used(preset.uses))
    refuse(setting.name, fmt::format("none: {} does not look at it", preset.name), value);
  const std::optional<double> number = parse_real(value.text);
  if (!number || !setting.range.contains(*number)) refuse(setting.name, expectation(setting.range), value);
  setting.in(options) = *number;
}

void read_radius(const Preset& preset, const JsonPiece& value, PolicyOptions& options) {
  const bool is_text = json_kind(value.text) == JsonKind::string;
  const auto kind = is_text ? value_of(string_of_json(value.text), kRadiusNames) : std::nullopt;
  if (!uses_confidence(preset.uses) || !kind)
    refuse(kRadius, "one that the policy looks at, automatic, ellipsoid or posterior", value);
  options.radius = *kind;
}

void read_other(std::string_view name, const JsonPiece& value, PolicyOptions& options) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  if (name == kReplacement && json_kind(value.text) == JsonKind::boolean) {
    options.with_replacement = value.text == "true";
  } else if (name == kFirstRounds) {
    options.first_rounds = whole_in(name, value, most);
  } else if (name == kExpectedRounds) {
    options.expected_rounds = whole_in(name, value, most);
  } else if (name == kGiven && json_kind(value.text) == JsonKind::array) {
    for (JsonPieces pieces(value); pieces.has_next();)
      options.given.push_back(static_cast<FeatureId>(
          whole_in(name, pieces.next_element(), std::numeric_limits<FeatureId>::max())));
  } else {
    refuse(name, "a setting of a policy", value);
  }
}

}  // namespace

std::span<const PolicySetting> policy_settings() { return kSettings; }

const PolicySetting& policy_setting(std::string_view name) {
  const auto found = std::ranges::find(kSettings, name, &PolicySetting::name);
  assert(found != kSettings.end());
  return *found;
}

std::string policy_settings_text(const PolicyOptions& options, const Preset& preset) {
  PolicyOptions given = options;
  PolicyOptions defaults;
  JsonWriter json;
  json.begin_object();
  for (const PolicySetting& setting : kSettings)
    if (setting.is_used(preset.uses) && setting.in(given) != setting.in(defaults))
      json.member(setting.name, setting.in(given));
  if (options.radius != defaults.radius && uses_confidence(preset.uses))
    json.member(kRadius, radius_name(options.radius));
  if (options.with_replacement) json.member(kReplacement, true);
  if (options.first_rounds != 0) json.member(kFirstRounds, options.first_rounds);
  if (options.expected_rounds != 0) json.member(kExpectedRounds, options.expected_rounds);
  if (!options.given.empty()) {
    json.key(kGiven).begin_array();
    for (const FeatureId feature : options.given) json.value(feature);
    json.end_array();
  }
  return json.end_object().take();
}

PolicyOptions read_policy_settings(std::string_view text, const Preset& preset) {
  if (json_fault(text) || !text.starts_with('{'))
    throw FormatError("the settings of a policy",
                      fmt::format("expected a JSON object, found {}", quoted_text(text)));
  PolicyOptions options;
  options.with_replacement = false;
  for (JsonPieces pieces({text, 0}); pieces.has_next();) {
    const auto [written, value] = pieces.next_member();
    const std::string name = string_of_json(written.text);
    const auto setting = std::ranges::find(kSettings, name, &PolicySetting::name);
    if (setting != kSettings.end())
      read_number(*setting, preset, value, options);
    else if (name == kRadius)
      read_radius(preset, value, options);
    else
      read_other(name, value, options);
  }
  return options;
}

}  // namespace inkling
