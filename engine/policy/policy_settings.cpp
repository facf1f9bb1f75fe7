#include "engine/policy/policy_settings.hpp"

#include <algorithm>
#include <iterator>
#include <type_traits>

namespace inkling {
namespace {

// The precision of a word grows by 4 up to three times while it is shown and not marked.
constexpr double kLargestUnmarkedPrecision = 1e58;
constexpr double kLargestScale = 1e6;

std::vector<PolicySetting> made_settings() {
  using Options = PolicyOptions;
  using Explores = ExplorationSchedule::Kind;
  const auto has_ridge = [](const Preset& preset) { return preset.uses.ridge; };
  const auto has_radius = [](const Preset& preset) { return preset.uses.radius; };
  const auto has_noise = [](const Preset& preset) { return preset.uses.ridge || preset.uses.radius; };
  const auto is_soft = [](const Preset& preset) { return preset.uses.soft_marks; };
  const auto is_any = [](const Preset&) { return true; };
  return {
      {"ridge", "LAMBDA", RealSetting{[](Options& options) -> double& { return options.ridge; }, kSmallestRidge, kLargestRidge},
       "the prior precision of every word, if the policy has one for all; below about 1e-16 of the squared "
       "values of the documents it is refused (exit code 3)",
       has_ridge},
      {"noise", "R", RealSetting{[](Options& options) -> double& { return options.confidence.noise; }, 0.0, kLargestScale},
       "scale of the noise in rewards", has_noise},
      {"norm_bound", "S",
       RealSetting{[](Options& options) -> double& { return options.confidence.norm_bound; }, 0.0, kLargestScale},
       "a bound on the norm of the true weights", has_radius},
      {"delta", "DELTA",
       RealSetting{[](Options& options) -> double& { return options.confidence.delta; }, 0.0, 1.0, false, false},
       "probability with which the confidence set may fail", has_radius},
      {"radius", "KIND",
       ChoiceSetting{{kRadiusNames[0].name, kRadiusNames[1].name, kRadiusNames[2].name},
                     [](Options& options, std::size_t choice) { options.radius = kRadiusNames[choice].value; },
                     [](const Options& options) {
                       const auto* const row = std::ranges::find(kRadiusNames, options.radius, &EnumName<RadiusKind>::value);
                       return static_cast<std::size_t>(row - std::begin(kRadiusNames));
                     }},
       "what multiplies the width in ucb; ellipsoid: the radius of the confidence set; posterior: R "
       "sqrt(ln(t + 2)) after t events, narrower; automatic: posterior for soft-marks, else ellipsoid",
       has_radius},
      {"marked_precision", "LAMBDA",
       RealSetting{[](Options& options) -> double& { return options.soft_marks.marked_precision; }, kSmallestRidge, kLargestRidge,
                   true, true, true},
       "of soft-marks: the prior precision of a marked word (default: R² m / S² for m marked words)", is_soft},
      {"unmarked_precision", "LAMBDA",
       RealSetting{[](Options& options) -> double& { return options.soft_marks.unmarked_precision; }, kSmallestRidge,
                   kLargestUnmarkedPrecision, true, true, true},
       "of soft-marks: the prior precision of a word that was not marked (default: R² d / S² for d words)", is_soft},
      {"mark_probability", "P",
       RealSetting{[](Options& options) -> double& { return options.soft_marks.mark_probability; }, 0.0, 1.0, false, true, true},
       "of soft-marks: the probability that a word that matters is marked where it is shown (default: "
       "learned from words that were marked again)",
       is_soft},
      {"vectors", "C", RealSetting{[](Options& options) -> double& { return options.inkling.vectors; }, 0.0, kLargestScale},
       "of inkling, where documents have vectors: how much two documents of like vectors have in common, where 1 is as much "
       "as two of the same words; 0 ignores vectors",
       [](const Preset& preset) { return preset.uses.vectors; }},
      {"first_rounds", "T0", WholeSetting{[](Options& options) -> std::int64_t& { return options.first_rounds; }},
       "random rounds of explore-then-commit", [](const Preset& preset) { return preset.explores == Explores::first_rounds; },
       SettingOf::play},
      {"given", "J,J,...", FeaturesSetting{[](Options& options) -> std::vector<FeatureId>& { return options.given; }},
       "the words or features of oful-subset", [](const Preset& preset) { return preset.scope == FeatureScope::Kind::given; },
       SettingOf::play},
      {"epoch_constant", "C",
       RealSetting{[](Options& options) -> double& { return options.epoch_constant; }, 0.0, kLargestScale, false},
       "c of ff-oful-epoch", [](const Preset& preset) { return preset.explores == Explores::epochs; }, SettingOf::play},
      {"forced_exploration", "", FlagSetting{[](Options& options) -> bool& { return options.forced_exploration; }},
       "a policy that never explores plays at random with probability 1/sqrt(t) too",
       [](const Preset& preset) { return preset.explores == Explores::never; }, SettingOf::play},
      {"with_replacement", "", FlagSetting{[](Options& options) -> bool& { return options.with_replacement; }},
       "whether a document may be chosen again", is_any, SettingOf::play},
      {"expected_rounds", "T", WholeSetting{[](Options& options) -> std::int64_t& { return options.expected_rounds; }},
       "how many rounds there will be, where that is known: it decides which matrix is kept, not what is "
       "chosen",
       is_any, SettingOf::play},
  };
}

// Each writes the value into the options if it is valid, else leaves them as they were.
struct Writer {
  PolicyOptions& options;
  const SettingValue& value;

  bool operator()(const RealSetting& real) const {
    const std::int64_t* const whole = std::get_if<std::int64_t>(&value);
    const double* const number = std::get_if<double>(&value);
    if (whole == nullptr && number == nullptr) return false;
    const double given = number != nullptr ? *number : static_cast<double>(*whole);
    const bool above = real.takes_low ? given >= real.low : given > real.low;
    const bool below = real.takes_high ? given <= real.high : given < real.high;
    if (above && below) real.place(options) = given;
    return above && below;
  }
  bool operator()(const WholeSetting& whole) const {
    const std::int64_t* const given = std::get_if<std::int64_t>(&value);
    if (given == nullptr || *given < 0) return false;
    whole.place(options) = *given;
    return true;
  }
  bool operator()(const ChoiceSetting& choice) const {
    const std::string* const name = std::get_if<std::string>(&value);
    const auto found = name == nullptr ? choice.names.end() : std::ranges::find(choice.names, *name);
    if (found != choice.names.end()) choice.choose(options, static_cast<std::size_t>(found - choice.names.begin()));
    return found != choice.names.end();
  }
  bool operator()(const FlagSetting& flag) const { return take(flag); }
  bool operator()(const FeaturesSetting& features) const { return take(features); }

  template <typename Kind>
  bool take(const Kind& kind) const {
    const auto* const given = std::get_if<std::remove_cvref_t<decltype(kind.place(options))>>(&value);
    if (given != nullptr) kind.place(options) = *given;
    return given != nullptr;
  }
};

}  // namespace

std::span<const PolicySetting> policy_settings() {
  static const std::vector<PolicySetting> all = made_settings();
  return all;
}

const PolicySetting* find_setting(std::string_view name) {
  const auto found = std::ranges::find_if(policy_settings(), [name](const PolicySetting& setting) {
    return std::ranges::equal(setting.name, name, {}, {}, [](char letter) { return letter == '-' ? '_' : letter; });
  });
  return found == policy_settings().end() ? nullptr : &*found;
}

SettingValue setting_in(const PolicyOptions& options, const PolicySetting& setting) {
  PolicyOptions copy = options;
  if (const auto* const choice = std::get_if<ChoiceSetting>(&setting.kind))
    return std::string(choice->names[choice->chosen(copy)]);
  return std::visit(
      [&](const auto& kind) -> SettingValue {
        if constexpr (requires { kind.place(copy); }) return kind.place(copy);
        return false;
      },
      setting.kind);
}

bool set_setting(PolicyOptions& options, const PolicySetting& setting, const SettingValue& value) {
  return std::visit(Writer{options, value}, setting.kind);
}

}  // namespace inkling
