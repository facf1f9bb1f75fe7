#include "io/doors/cli/learning_options.hpp"

#include <ranges>
#include <string>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "io/base/file/json_writer.hpp"
#include "io/search/events/policy_settings.hpp"

namespace inkling {
namespace {

// An option at which this policy does not look: one of few policies, or one that `inkling` finds out by itself.
[[noreturn]] void refuse_unused(const PolicySetting& setting, const Preset& policy,
                                bool (*offered)(const Preset&)) {
  if (setting.is_used({}))
    throw UsageError::option(
        setting.name, fmt::format("expected without --policy {}, which needs nothing told", policy.name));
  std::string users;
  for (const Preset& preset : presets() | std::views::filter(offered))
    if (setting.is_used(preset.uses)) users += fmt::format("{}{}", users.empty() ? "" : " or ", preset.name);
  throw UsageError::option(setting.name, fmt::format("expected with --policy {}", users));
}

}  // namespace

std::vector<Option> learning_options() {
  const auto range_of = [](std::string_view name) { return policy_setting(name).range; };
  return {{"ridge", range_of("ridge"), "LAMBDA", "1",
           "the prior precision of every word, where the policy has one for all; far below the squared "
           "values of "
           "the documents (about 1e-16 of them) it cannot be held, and is refused with exit code 3"},
          {"noise", range_of("noise"), "R", "0.1", "scale of the noise in rewards"},
          {"norm-bound", range_of("norm-bound"), "S", "1", "a bound on the norm of the true weights"},
          {"delta", range_of("delta"), "DELTA", "0.1", "probability with which the confidence set may fail"},
          {"radius", Choice{names_of(kRadiusNames)}, "KIND", "automatic",
           "what multiplies the width in ucb; ellipsoid: the radius of the confidence set; posterior: R "
           "sqrt(ln(t + 2)) after t events, narrower; automatic: posterior for soft-marks, else ellipsoid"},
          {"marked-precision", range_of("marked-precision"), "LAMBDA", std::nullopt,
           "of soft-marks: the prior precision of a marked word (default: R² m / S² for m marked words)"},
          {"unmarked-precision", range_of("unmarked-precision"), "LAMBDA", std::nullopt,
           "of soft-marks: the prior precision of a word that was not marked (default: R² d / S² for d "
           "words)"},
          {"mark-probability", range_of("mark-probability"), "P", std::nullopt,
           "of soft-marks: the probability that a word that matters is marked where it is shown (default: "
           "learned from words that were marked again)"}};
}

PolicyOptions learning_options_of(const ParsedOptions& given, const Preset& policy,
                                  bool (*offered)(const Preset&)) {
  PolicyOptions options;
  for (const PolicySetting& setting : policy_settings()) {
    if (given.given(setting.name) && !setting.is_used(policy.uses)) refuse_unused(setting, policy, offered);
    if (given.has(setting.name)) setting.in(options) = given.real(setting.name);
  }
  if (given.given("radius") && policy.uses.word_ratings)
    refuse_unused({"radius", {}, nullptr, [](const OptionsUsed&) { return true; }}, policy, offered);
  options.radius = given.choice("radius", kRadiusNames);
  return options;
}

std::string learning_options_text(const ParsedOptions& given) {
  JsonWriter json;
  json.begin_object();
  for (const Option& option : learning_options()) {
    if (!given.given(option.name)) continue;
    if (std::holds_alternative<Choice>(option.kind)) {
      json.member(option.name, given.text(option.name));
    } else {
      json.member(option.name, given.real(option.name));
    }
  }
  return json.end_object().take();
}

}  // namespace inkling
