// Runs a program made of commands: finds the command, turns what it throws into a message and an exit code.
#pragma once

#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include "io/doors/cli/failure_report.hpp"
#include "io/doors/cli/option_table.hpp"

namespace inkling {

struct Command {
  std::string name;     ///< as it is typed after the program: "build", "parts count"
  std::string purpose;  ///< its first sentence is what lists of commands show
  /// Gets the arguments after the command's name; returns an exit code, or throws.
  std::function<int(std::span<const std::string> args)> run;
  /// The options, for help, man pages and completions; none if the command reads its arguments itself.
  std::shared_ptr<const OptionTable> table = nullptr;
};

/// Commands for one task of a person.
struct CommandGroup {
  std::string task;  ///< the heading in help: "Find what you want in it"; commands with the same heading are listed under it
  std::vector<Command> commands;
  /// The first word of all their names, if they share one: then help of the program shows one line for all of them, with this
  /// purpose, and `PROGRAM WORD` lists them.
  std::string word = {};
  std::string purpose = {};
};

struct Program {
  std::string name;
  std::string purpose;  // one sentence
  std::string version;
  std::vector<CommandGroup> groups;
  std::vector<Command> inner = {};  ///< that only the program itself starts, in a process of its own: nothing lists them
  std::string example = {};         ///< what somebody types first
  /// What it does where its first argument is none of these, or where there is none: io/doors/help/program_help.hpp.
  /// Returns an exit code, or throws; without it every such command line is refused.
  std::function<int(const Program&, std::span<const std::string> args)> otherwise = {};
};

[[nodiscard]] inline auto commands_of(const Program& program) {
  return program.groups | std::views::transform(&CommandGroup::commands) | std::views::join;
}

[[nodiscard]] std::size_t words_of(const Command& command);

/// The command with whose words the arguments begin; null if there is none. Lifetime: the program's.
[[nodiscard]] const Command* find_command(const Program& program, std::span<const std::string> args);

/// A command whose arguments are read by a table: `-h` and `--help-all` print the table's help, otherwise `body` gets the
/// values. The command's name is what follows the program's in the table's command.
[[nodiscard]] Command command_of(OptionTable table, std::function<int(const ParsedOptions&)> body);

/// Returns the exit code, for main to return. Standard output is flushed and checked, so that a full disk is an error; if the
/// reader closed the pipe, the program ends without a message. Installs the interruption handler. Thread safety: call once, from
/// main.
[[nodiscard]] int run_program(const Program& program, int argc, const char* const* argv);

/// The whole work of main: makes the program and runs it, with the guards of mapped files and of memory. If the program cannot be
/// made, it also ends with a message and an exit code. Lifetime: `name` is a literal.
[[nodiscard]] int run_main(const char* name, Program (*make)(), int argc, const char* const* argv) noexcept;

/// From now on, if a file that is mapped by us or by a library is shortened, reading the missing part writes "PROGRAM: PATH:
/// became shorter while it was being read" to standard error and ends the process with ExitCode::corrupt_file. Any other SIGBUS
/// has its earlier effect. Lifetime: `program` is a literal.
/// Thread safety: call once, from main.
void install_mapping_guard(const char* program);

}  // namespace inkling
