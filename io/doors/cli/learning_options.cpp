#include "io/doors/cli/learning_options.hpp"

#include <ranges>
#include <string>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "engine/model/linear_model.hpp"
#include "io/base/file/json_places.hpp"
#include "io/base/file/json_text.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/utf8.hpp"
#include "io/search/events/learning.hpp"

namespace inkling {
namespace {

// The precision of a word grows by 4 up to three times while it is shown and not marked.
constexpr double kLargestUnmarkedPrecision = 1e58;

// Throws UsageError where the option is given and the policy does not look at it.
void check_used(const ParsedOptions& given, const Preset& policy, bool (*offered)(const Preset&),
                const char* name, bool OptionsUsed::*used) {
  if (!given.given(name) || policy.uses.*used) return;
  std::string users;
  for (const Preset& preset : presets() | std::views::filter(offered))
    if (preset.uses.*used) users += fmt::format("{}{}", users.empty() ? "" : " or ", preset.name);
  throw UsageError::option(name, fmt::format("expected with --policy {}", users));
}

// Throws UsageError where something is told to a policy that finds it out by itself.
void check_nothing_told(const ParsedOptions& given, const Preset& policy) {
  if (!policy.uses.word_ratings) return;
  for (const char* name : {"noise", "norm-bound", "delta", "radius"}) {
    if (given.given(name))
      throw UsageError::option(
          name, fmt::format("expected without --policy {}, which needs nothing told", policy.name));
  }
}

}  // namespace

std::vector<Option> learning_options() {
  const Real precision = Real::from_to(kSmallestRidge, kLargestRidge);
  const Real unmarked = Real::from_to(kSmallestRidge, kLargestUnmarkedPrecision);
  return {{"ridge", precision, "LAMBDA", "1",
           "the prior precision of every word, where the policy has one for all; far below the squared "
           "values of "
           "the documents (about 1e-16 of them) it cannot be held, and is refused with exit code 3"},
          {"noise", Real::from_to(0.0, 1e6), "R", "0.1", "scale of the noise in rewards"},
          {"norm-bound", Real::from_to(0.0, 1e6), "S", "1", "a bound on the norm of the true weights"},
          {"delta", Real::between(0.0, 1.0), "DELTA", "0.1",
           "probability with which the confidence set may fail"},
          {"radius", Choice{names_of(kRadiusNames)}, "KIND", "automatic",
           "what multiplies the width in ucb; ellipsoid: the radius of the confidence set; posterior: R "
           "sqrt(ln(t + 2)) after t events, narrower; automatic: posterior for soft-marks, else ellipsoid"},
          {"marked-precision", precision, "LAMBDA", std::nullopt,
           "of soft-marks: the prior precision of a marked word (default: R² m / S² for m marked words)"},
          {"unmarked-precision", unmarked, "LAMBDA", std::nullopt,
           "of soft-marks: the prior precision of a word that was not marked (default: R² d / S² for d "
           "words)"},
          {"mark-probability", Real::above_up_to(0.0, 1.0), "P", std::nullopt,
           "of soft-marks: the probability that a word that matters is marked where it is shown (default: "
           "learned from words that were marked again)"}};
}

PolicyOptions learning_options_of(const ParsedOptions& given, const Preset& policy,
                                  bool (*offered)(const Preset&)) {
  check_used(given, policy, offered, "ridge", &OptionsUsed::ridge);
  for (const char* name : {"marked-precision", "unmarked-precision", "mark-probability"}) {
    check_used(given, policy, offered, name, &OptionsUsed::soft_marks);
  }
  check_nothing_told(given, policy);
  const auto real_or_rule = [&](const char* name) { return given.has(name) ? given.real(name) : 0.0; };
  PolicyOptions options;
  options.ridge = given.real("ridge");
  options.confidence = {given.real("noise"), given.real("norm-bound"), given.real("delta")};
  options.radius = given.choice("radius", kRadiusNames);
  options.soft_marks = {.unmarked_precision = real_or_rule("unmarked-precision"),
                        .marked_precision = real_or_rule("marked-precision"),
                        .mark_probability = real_or_rule("mark-probability")};
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

PolicyOptions learning_options_in(const std::string& text, const Preset& policy) {
  if (json_fault(text) || !text.starts_with('{')) {
    throw FormatError("the options of a policy", "expected a JSON object, found " + quoted_text(text));
  }
  std::vector<std::string> args;
  for (JsonPieces pieces({text, 0}); pieces.has_next();) {
    const JsonMember member = pieces.next_member();
    const std::string_view value = member.value.text;
    args.push_back("--" + string_of_json(member.name.text));
    args.push_back(json_kind(value) == JsonKind::string ? string_of_json(value) : std::string(value));
  }
  const OptionTable table(
      {"inkling", "The options of a policy.", "inkling", {{"The model", learning_options()}}});
  return learning_options_of(table.parse(args), policy, [](const Preset&) { return true; });
}

}  // namespace inkling
