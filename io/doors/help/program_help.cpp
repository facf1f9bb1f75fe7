#include "io/doors/help/program_help.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/core/nearest_name.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/doors/cli/help_text.hpp"

namespace inkling {
namespace {

std::vector<std::string> command_names(const Program& program) {
  std::vector<std::string> names = {"help"};
  for (const CommandGroup& group : program.groups)
    if (!group.word.empty()) names.push_back(group.word);
  for (const Command& command : commands_of(program)) names.push_back(command.name);
  return names;
}

const CommandGroup* group_named(const Program& program, const std::string& word) {
  const auto group = std::ranges::find(program.groups, word, &CommandGroup::word);
  return word.empty() || group == program.groups.end() ? nullptr : &*group;
}

[[noreturn]] void fail_unknown(const Program& program, const std::string& written) {
  if (written.starts_with('-')) {
    const std::vector<std::string> options = {"--help", "--version"};
    throw UsageError(fmt::format("unknown option {}{}", in_quotes(written), did_you_mean("", written, options)));
  }
  throw UsageError(fmt::format("unknown command {}{}; '{} -h' lists them", in_quotes(written),
                               did_you_mean("", written, command_names(program)), program.name));
}

OptionTable help_table(const Program& program) {
  return OptionTable({program.name + " help",
                      "Shows what the program does, or what a command does and its options.",
                      fmt::format("{} help {} --all", program.name, program.groups.front().commands.front().name),
                      {{"What to show",
                        {{"all", Flag{}, "", std::nullopt,
                          "every option of the command, not only the most used; without COMMAND the exit codes, too"}}},
                       {"For an installation",
                        {{"man", Flag{}, "", std::nullopt, "write the man pages of the program into the folder --out"},
                         {"out", Path{}, "DIR", std::nullopt, "where the man pages go"},
                         {"completion", Choice{names_of(kShellNames)}, "SHELL", std::nullopt,
                          "print what makes this shell complete commands and options instead"}}}},
                      {"[COMMAND]", "the command to explain, such as build or parts plan", 0, 2}});
}

// "  build   Turns text into a pool", one line each.
void append_commands(std::string& out, std::span<const std::pair<std::string, std::string_view>> rows, std::size_t width) {
  for (const auto& [name, purpose] : rows) out += fmt::format("  {:<{}}  {}\n", name, width, first_sentence(purpose));
}

std::string group_help(const Program& program, const CommandGroup& group) {
  std::string help = fmt::format("Usage: {} {} STEP [OPTION]...\n\n", program.name, group.word);
  append_wrapped(help, group.purpose, 0, 0);
  std::vector<std::pair<std::string, std::string_view>> rows;
  std::size_t width = 0;
  for (const Command& command : group.commands) {
    rows.emplace_back(command.name.substr(group.word.size() + 1), command.purpose);
    width = std::max(width, rows.back().first.size());
  }
  help += "\nSteps, in their order:\n";
  append_commands(help, rows, width);
  return help + fmt::format("\n'{} help {} STEP' explains a step and its options.\n", program.name, group.word);
}

void print_help_of(const Program& program, const std::vector<std::string>& words, HelpExtent extent) {
  const std::string name = fmt::format("{}", fmt::join(words, " "));
  const Command* const command = find_command(program, words);
  const CommandGroup* const group = group_named(program, name);
  if (name == "help")
    fmt::print("{}", help_table(program).help(extent));
  else if (group != nullptr)
    fmt::print("{}", group_help(program, *group));
  else if (command == nullptr || words_of(*command) != words.size())
    fail_unknown(program, name);
  else if (command->table)
    fmt::print("{}", command->table->help(extent));
  else
    fmt::print("{} {}: {}\n", program.name, command->name, command->purpose);
}

void write_manual(const Program& program, const std::string& folder) {
  make_folder(folder);
  for (const ManualPage& page : manual_pages(program)) write_file(folder + "/" + page.file, page.text);
}

int run_help(const Program& program, std::span<const std::string> args) {
  const OptionTable table = help_table(program);
  const ParsedOptions options = table.parse(args);
  if (options.help_wanted())
    fmt::print("{}", table.help(*options.help_wanted()));
  else if (options.flag("man") != options.has("out"))
    throw UsageError::option("man", "expected with --out and the folder for the pages");
  else if (options.flag("man"))
    write_manual(program, options.text("out"));
  else if (options.has("completion"))
    fmt::print("{}", completion_script(program, options.choice("completion", kShellNames)));
  else if (const HelpExtent extent = options.flag("all") ? HelpExtent::all : HelpExtent::common; options.positionals().empty())
    fmt::print("{}", program_help(program, extent));
  else
    print_help_of(program, options.positionals(), extent);
  return ExitCode::ok;
}

}  // namespace

std::string_view first_sentence(std::string_view purpose) {
  std::string_view first = purpose.substr(0, purpose.find(". "));
  if (first.ends_with('.')) first.remove_suffix(1);
  return first;
}

std::string program_help(const Program& program, HelpExtent extent) {
  std::string help = fmt::format("Usage: {} COMMAND [OPTION]...\n", program.name);
  append_wrapped(help, program.purpose, 0, 0);
  constexpr std::size_t width = 10;
  std::string task;
  for (const CommandGroup& group : program.groups) {
    std::vector<std::pair<std::string, std::string_view>> rows;
    if (group.word.empty())
      for (const Command& command : group.commands) rows.emplace_back(command.name, command.purpose);
    else
      rows.emplace_back(group.word + " STEP", group.purpose);
    if (group.task != std::exchange(task, group.task)) help += fmt::format("\n{}:\n", group.task);
    append_commands(help, rows, width);
  }
  help += fmt::format("  {:<{}}  Explains a command: '{} help {}'\n", "help", width, program.name,
                      program.groups.front().commands.front().name);
  if (extent == HelpExtent::all) {
    help += "\nOptions:\n";
    append_help_entry(help, "-h, --help", "show the commands; after a command, its most used options");
    append_help_entry(help, "-V, --version", "show the version");
    help += "\nExit codes:\n";
    for (const auto& [code, meaning] : kExitMeanings) append_help_entry(help, std::to_string(code), meaning);
  }
  std::vector<std::string> last;
  if (!program.example.empty()) last.push_back(fmt::format("Begin with '{}'", program.example));
  if (extent == HelpExtent::common) last.push_back(fmt::format("'{} help --all' says more", program.name));
  if (!last.empty()) help += fmt::format("\n{}.\n", fmt::join(last, "; "));
  return help;
}

int answer_without_command(const Program& program, std::span<const std::string> args) {
  const std::string first = args.empty() ? "--help" : args.front();
  if (const CommandGroup* const group = group_named(program, first)) {
    if (args.size() > 1 && args[1] != "-h" && args[1] != "--help") fail_unknown(program, first + " " + args[1]);
    fmt::print("{}", group_help(program, *group));
    return ExitCode::ok;
  }
  if (first == "help") return run_help(program, args.subspan(1));
  if (first == "-h" || first == "--help")
    fmt::print("{}", program_help(program));
  else if (first == "--version" || first == "-V" || first == "-v")
    fmt::print("{} {}\n", program.name, program.version);
  else
    fail_unknown(program, first);
  return ExitCode::ok;
}

}  // namespace inkling
