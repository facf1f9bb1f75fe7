// Fuzzes command lines: the table of each command either refuses the arguments, with a message of one line, or every value is one
// that its option accepts.
#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "io/doors/cli/usage_error.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/steps/parts.hpp"
#include "tests/fuzz/fuzz_input.hpp"

namespace inkling::fuzz {
namespace {

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {build_command(),  info_command(),    verify_command(), export_command(),
                                           show_command(),   score_command(),   learn_step(),     merge_scores_step(),
                                           search_command(), sessions_command()};
  return all;
}

/// The arguments in a text, one a line.
std::vector<std::string> arguments_in(std::string_view text) {
  std::vector<std::string> arguments;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    arguments.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return arguments;
}

bool is_within(const Integer& range, std::int64_t value) { return value >= range.min && value <= range.max; }

bool is_one_of(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Demands that a value is valid for its kind.
struct ValueCheck {
  const ParsedOptions& parsed;
  const std::string& name;

  void operator()(const Flag&) const { static_cast<void>(parsed.flag(name)); }
  void operator()(const Integer& range) const { demand(is_within(range, parsed.integer(name))); }
  void operator()(const Real& range) const { demand(range.contains(parsed.real(name))); }
  void operator()(const Size& range) const { demand(parsed.integer(name) >= range.min && parsed.integer(name) <= range.max); }
  void operator()(const Choice& choice) const { demand(is_one_of(choice.names, parsed.text(name))); }
  void operator()(const ChoiceList& list) const {
    std::vector<std::string> chosen = parsed.choices(name);
    demand(!chosen.empty());
    for (const std::string& one : chosen) demand(is_one_of(list.names, one));
    std::ranges::sort(chosen);
    demand(std::ranges::adjacent_find(chosen) == chosen.end());
  }
  void operator()(const RealPair& pair) const {
    const auto [low, high] = parsed.real_pair(name);
    demand(low <= high && pair.each.contains(low) && pair.each.contains(high));
  }
  void operator()(const IntegerList& list) const {
    demand(!parsed.integers(name).empty());
    for (const std::int64_t value : parsed.integers(name)) demand(is_within(list.each, value));
  }
  void operator()(const Text&) const { demand(!parsed.text(name).empty()); }
  void operator()(const Path&) const { demand(!parsed.text(name).empty()); }
  void operator()(const Paths&) const { demand(!parsed.paths(name).empty()); }
};

void check_values(const OptionTable& table, const ParsedOptions& parsed) {
  for (const OptionGroup& group : table.description().groups) {
    for (const Option& option : group.options) {
      demand(!parsed.given(option.name) || parsed.has(option.name));
      demand(option.need == Option::Need::optional || parsed.has(option.name));
      const bool is_flag = std::holds_alternative<Flag>(option.kind);
      if (parsed.has(option.name) || is_flag) std::visit(ValueCheck{parsed, option.name}, option.kind);
    }
  }
  const Positionals& wanted = table.description().positionals;
  demand(parsed.positionals().size() >= wanted.min && parsed.positionals().size() <= wanted.max);
}

void check_message(std::string_view message) {
  check_text(message);
  demand(!message.empty() && message.find('\n') == std::string_view::npos);
}

}  // namespace
}  // namespace inkling::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function
  const fuzz::Input input(data, size);
  const OptionTable& table = *fuzz::commands()[input.choices % fuzz::commands().size()].table;
  const std::vector<std::string> arguments = fuzz::arguments_in(input.text);
  try {
    const ParsedOptions parsed = table.parse(arguments);
    if (!parsed.help_wanted()) fuzz::check_values(table, parsed);
  } catch (const UsageError& error) {
    fuzz::check_message(error.what());
  }
  return 0;
}
