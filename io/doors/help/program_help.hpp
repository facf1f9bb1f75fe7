// What a program says of itself: help, its version, man pages and completions for shells, all made from the tables of
// its commands.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/enum_names.hpp"
#include "io/doors/cli/command_line.hpp"

namespace inkling {

/// What the program does if its arguments begin with no command of its own: `PROGRAM`, `PROGRAM -h`, `PROGRAM help
/// [COMMAND]`, `PROGRAM --version`, `PROGRAM WORD` of a group. Returns the exit code. Throws UsageError for anything else.
[[nodiscard]] int answer_without_command(const Program& program, std::span<const std::string> args);

/// "inkling -h": tasks and their commands, a line each, for a screen of 24 lines; with HelpExtent::all also the program's
/// own options and the exit codes.
[[nodiscard]] std::string program_help(const Program& program, HelpExtent extent = HelpExtent::common);

/// What lists of commands show of a purpose, without the full stop.
[[nodiscard]] std::string_view first_sentence(std::string_view purpose);

/// What an exit code of both programs means.
struct ExitMeaning {
  int code;
  const char* meaning;
};

inline constexpr ExitMeaning kExitMeanings[] = {
    {ExitCode::ok, "all went well"},          {ExitCode::internal, "a mistake in the program"},
    {ExitCode::usage, "wrong usage"},         {ExitCode::bad_input, "an input is not what it must be"},
    {ExitCode::system, "the system refused"}, {ExitCode::corrupt_file, "a file is damaged"},
    {ExitCode::interrupted, "interrupted"}};

struct ManualPage {
  std::string file;  ///< "inkling-build.1"
  std::string text;  ///< in the language of man(7)
};

/// A page for the program, then one for each of its commands.
[[nodiscard]] std::vector<ManualPage> manual_pages(const Program& program);

enum class Shell { bash, zsh, fish };
inline constexpr EnumName<Shell> kShellNames[] = {{Shell::bash, "bash"}, {Shell::zsh, "zsh"}, {Shell::fish, "fish"}};

/// A script that the shell reads, after which it completes commands, options and their values.
[[nodiscard]] std::string completion_script(const Program& program, Shell shell);

}  // namespace inkling
