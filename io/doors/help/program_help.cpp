#include "io/doors/help/program_help.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "io/base/file/output_file.hpp"
#include "io/base/wording/nearest_name.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/doors/cli/help_text.hpp"

namespace inkling {
namespace {

std::vector<std::string> command_names(const Program& program) {
  std::vector<std::string> names;
  names.reserve(program.commands.size() + 1);
  for (const Command& command : program.commands) names.push_back(command.name);
  names.emplace_back("help");
  return names;
}

[[noreturn]] void fail_unknown(const Program& program, const std::string& written) {
  if (written.starts_with('-')) {
    const std::vector<std::string> options = {"--help", "--version"};
    throw UsageError(
        fmt::format("unknown option {}{}", in_quotes(written), did_you_mean("", written, options)));
  }
  throw UsageError(fmt::format("unknown command {}{}; '{} -h' lists them", in_quotes(written),
                               did_you_mean("", written, command_names(program)), program.name));
}

OptionTable help_table(const Program& program) {
  return OptionTable(
      {program.name + " help",
       "Shows what the program does, or what a command does and its options.",
       fmt::format("{} help {} --all", program.name, program.commands.front().name),
       {{"What to show",
         {{"all", Flag{}, "", std::nullopt, "every option of the command, not only the most used"}}},
        {"For an installation",
         {{"man", Path{}, "DIR", std::nullopt, "write the man pages of the program into this folder instead"},
          {"completion", Choice{names_of(kShellNames)}, "SHELL", std::nullopt,
           "print what makes this shell complete commands and options instead"}}}},
       {"[COMMAND]", "the command to explain", 0, 1}});
}

void print_help_of(const Program& program, const std::string& name, HelpExtent extent) {
  const auto command = std::ranges::find(program.commands, name, &Command::name);
  if (name == "help")
    fmt::print("{}", help_table(program).help(extent));
  else if (command == program.commands.end())
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
  else if (options.has("man"))
    write_manual(program, options.text("man"));
  else if (options.has("completion"))
    fmt::print("{}", completion_script(program, options.choice("completion", kShellNames)));
  else if (options.positionals().empty())
    fmt::print("{}", program_help(program));
  else
    print_help_of(program, options.positionals().front(),
                  options.flag("all") ? HelpExtent::all : HelpExtent::common);
  return ExitCode::ok;
}

}  // namespace

std::string program_help(const Program& program) {
  std::string help = fmt::format("Usage: {} COMMAND [OPTION]...\n\n", program.name);
  append_wrapped(help, program.purpose, 0, 0);
  help += "\nCommands:\n";
  for (const Command& command : program.commands) append_help_entry(help, command.name, command.purpose);
  append_help_entry(help, "help [COMMAND]", "Shows this text, or what a command does and its options.");
  help += "\nOptions:\n";
  append_help_entry(help, "-h, --help", "show this text, or that of a command: COMMAND -h");
  append_help_entry(help, "-V, --version", "show the version");
  help += "\nExit codes:\n";
  for (const auto& [code, meaning] : kExitMeanings) append_help_entry(help, std::to_string(code), meaning);
  return help;
}

int answer_without_command(const Program& program, std::span<const std::string> args) {
  const std::string first = args.empty() ? "--help" : args.front();
  if (first == "help") return run_help(program, args.subspan(1));
  if (first == "-h" || first == "--help") {
    fmt::print("{}", program_help(program));
  } else if (first == "--version" || first == "-V" || first == "-v") {
    fmt::print("{} {}\n", program.name, program.version);
  } else {
    fail_unknown(program, first);
  }
  return ExitCode::ok;
}

}  // namespace inkling
