// The table of all settings of policies. Options of commands, JSON, Python's arguments and the options of experiments are
// made from it: a new setting is a member of PolicyOptions and a row here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/enum_names.hpp"
#include "engine/policy/policy_options.hpp"
#include "engine/policy/presets.hpp"

namespace inkling {

inline constexpr EnumName<Scoring> kScoringNames[] = {{Scoring::automatic, "automatic"},
                                                      {Scoring::sublinear, "sublinear"},
                                                      {Scoring::running, "running"},
                                                      {Scoring::rescoring, "rescoring"}};

[[nodiscard]] constexpr std::string_view scoring_name(Scoring scoring) noexcept { return name_of(scoring, kScoringNames); }

inline constexpr EnumName<RadiusKind> kRadiusNames[] = {
    {RadiusKind::automatic, "automatic"}, {RadiusKind::ellipsoid, "ellipsoid"}, {RadiusKind::posterior, "posterior"}};

[[nodiscard]] constexpr std::string_view radius_name(RadiusKind radius) noexcept { return name_of(radius, kRadiusNames); }

/// A finite number.
struct RealSetting {
  double& (*place)(PolicyOptions&);
  double low;
  double high;
  bool takes_low = true;
  bool takes_high = true;
  bool has_rule = false;  ///< 0, the default, means that a rule of the policy decides; users cannot give it
};

/// A whole number of at least 0.
struct WholeSetting {
  std::int64_t& (*place)(PolicyOptions&);
};

struct FlagSetting {
  bool& (*place)(PolicyOptions&);
};

struct FeaturesSetting {
  std::vector<FeatureId>& (*place)(PolicyOptions&);
};

/// One of the names.
struct ChoiceSetting {
  std::vector<std::string_view> names;
  void (*choose)(PolicyOptions&, std::size_t);
  std::size_t (*chosen)(const PolicyOptions&);
};

using SettingValue = std::variant<double, std::int64_t, bool, std::string, std::vector<FeatureId>>;

enum class SettingOf {
  model,  ///< how it learns: for every use of a policy
  play,   ///< how it plays its rounds: for programs that run the rounds
};

struct PolicySetting {
  std::string_view name;    ///< "norm_bound"; a command line has "norm-bound"
  std::string_view symbol;  ///< as help shows a value: "S"
  std::variant<RealSetting, WholeSetting, FlagSetting, FeaturesSetting, ChoiceSetting> kind;
  std::string_view help;
  bool (*used_by)(const Preset&);  ///< whether this policy uses it
  SettingOf part = SettingOf::model;
};

[[nodiscard]] std::span<const PolicySetting> policy_settings();

/// Finds a setting by its name, with '_' or '-' between words; nullptr if there is none.
[[nodiscard]] const PolicySetting* find_setting(std::string_view name);

/// The value of the setting in the options. A choice is given by its name.
[[nodiscard]] SettingValue setting_in(const PolicyOptions& options, const PolicySetting& setting);

/// Writes the value into the options; false, and nothing is written, where it is not of this kind or out of range. A whole
/// number is a number, too.
[[nodiscard]] bool set_setting(PolicyOptions& options, const PolicySetting& setting, const SettingValue& value);

}  // namespace inkling
