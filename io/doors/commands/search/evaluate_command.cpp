// `inkling evaluate`: what another policy would have found in a kept search.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/base/system/folder.hpp"
#include "io/base/system/interruption.hpp"
#include "io/doors/cli/learning_options.hpp"
#include "io/doors/cli/output_guard.hpp"
#include "io/doors/cli/threads_option.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/commands/search/asked_searches.hpp"
#include "io/search/evaluation/rounds_table.hpp"

namespace inkling {
namespace {

bool is_any(const Preset& /*preset*/) { return true; }

/// Every setting but those that the search decides.
std::vector<const PolicySetting*> target_settings() {
  std::vector<const PolicySetting*> settings;
  for (const PolicySetting& setting : policy_settings())
    if (setting.name != "with_replacement" && setting.name != "expected_rounds") settings.push_back(&setting);
  return settings;
}

OptionTable evaluate_options() {
  std::vector<Option> policy = {{"policy", Choice{names_of_policies(is_any)}, "NAME", std::nullopt, help_on_policies(is_any)}};
  for (const PolicySetting* const setting : target_settings()) policy.push_back(option_of(*setting));
  return OptionTable(
      {"inkling evaluate",
       "Estimates what another policy would have found in a kept search. It reads the log alone: the probabilities with "
       "which the documents of its rounds were chosen, and those with which the other policy, after the same answers, would "
       "have chosen them. A log whose documents were chosen for certain is refused.",
       "inkling evaluate reviews --policy ff-oful --ridge 4",
       {{"The other policy", std::move(policy)},
        {"Which search", {{"name", Text{}, "NAME", std::nullopt, "its name or its id (default: the only one)"}}},
        {"Output",
         {{"confidence", Real::between(0.0, 1.0), "C", "0.9", "how often an interval holds the value that it is about"},
          {"json", Flag{}, "", std::nullopt, "print one JSON object"},
          {"rounds", Path{}, "FILE", std::nullopt,
           "also write the rounds with both probabilities as CSV, which this command reads as well; - is standard output"}}},
        {"Running", {threads_option()}}},
       {"LOG",
        "the pool that was searched, or the file that keeps its searches; or a table FILE.csv with the columns logged, target "
        "and "
        "reward, and perhaps predicted, expectation and square, without --policy",
        1, 1}});
}

std::string line_of(std::string_view name, const ValueEstimate& estimate) {
  if (!estimate.value) return fmt::format("  {:<14}  not defined\n", name);
  std::string line = fmt::format("  {:<14}{:>9.4f}", name, *estimate.value);
  if (estimate.interval) line += fmt::format("   {:.4f} to {:.4f}", estimate.interval->low, estimate.interval->high);
  return line + "\n";
}

std::string text_of(const PolicyValue& value, std::string_view what) {
  std::string text =
      fmt::format("{}, in {}; the log itself {:.4f}\n", what, counted(value.rounds, "round", "rounds"), value.logged);
  text += line_of("doubly robust", value.doubly_robust) + line_of("SNIPS", value.snips) + line_of("IPS", value.ips);
  text += fmt::format("The rounds say as much as {:.1f} of its own.", value.effective);
  if (value.effective < kFewestEffective)
    return text + fmt::format(" That is too little for an interval: at least {:.0f}.\n", kFewestEffective);
  return text + fmt::format(" Intervals hold in {:.0f} of 100 searches.\n", 100.0 * value.confidence);
}

void print_value(const ParsedOptions& options, const PolicyValue& value, const RoundsLeftOut* left_out, std::string_view what) {
  if (options.flag("json")) {
    fmt::print("{}\n", value_json(value, left_out));
    return;
  }
  const std::string others = left_out == nullptr ? std::string() : left_out_text(*left_out);
  fmt::print("{}{}", text_of(value, what), others.empty() ? "" : fmt::format("Left out: {}.\n", others));
}

void evaluate_table(const ParsedOptions& options, const std::string& path) {
  for (const char* const option : {"policy", "name", "rounds"})
    if (options.given(option)) throw UsageError::option(option, "expected without a table of rounds");
  const std::vector<WeighedRound> rounds = read_rounds(path);
  if (rounds.empty()) throw FormatError(path, "expected at least one round");
  print_value(options, policy_value(rounds, options.real("confidence")), nullptr, "Reward for each round");
}

void evaluate_search(const ParsedOptions& options, const std::string& searches) {
  if (!options.has("policy")) throw UsageError::option("policy", "expected the policy to evaluate");
  const Preset policy = preset_named(options.text("policy"));
  PolicyOptions settings;
  for (const PolicySetting* const setting : target_settings()) take_given(settings, options, policy, *setting, is_any);
  OutputGuard guard;
  guard.reads("the file of searches", searches);
  if (options.has("rounds")) guard.writes("--rounds", options.text("rounds"));
  const SessionFile file(searches, SessionAccess::read);
  const SessionFacts facts = only_session(asked_sessions(options, file.sessions()));
  const WholePool whole(facts.pool, PoolTrust::remembered);
  check_pool_of(facts, whole);
  const LoggedRounds found = logged_rounds(whole.pool().view(), settings_of_target(facts, &whole.pool(), policy, settings),
                                           file.events(facts.id), throw_if_interrupted);
  require_rounds(found, facts.name, facts.policy);
  if (options.has("rounds")) {
    OutputFile output = OutputFile::at(options.text("rounds"));
    output.append(rounds_text(found));
    output.close();
    if (options.text("rounds") == "-") return;
  }
  print_value(options, policy_value(found.weighed(), options.real("confidence")), &found.left_out,
              fmt::format("Reward for each round that {} would have had in the search {} of {}", policy.name,
                          quoted_text(facts.name), facts.policy));
}

int evaluate(const ParsedOptions& options) {
  const ThreadLimit limit(threads_of(options));
  const std::string& log = options.positionals().front();
  if (log.ends_with(".csv") && is_file_at(log))
    evaluate_table(options, log);
  else
    evaluate_search(options, searches_at(log));
  return ExitCode::ok;
}

}  // namespace

Command evaluate_command() { return command_of(evaluate_options(), evaluate); }

}  // namespace inkling
