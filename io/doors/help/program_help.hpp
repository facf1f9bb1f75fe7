// What a program says of itself: help, its version, man pages and completions for shells, all made from the tables of
// its commands.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/core/enum_names.hpp"
#include "io/doors/cli/command_line.hpp"

namespace inkling {

/// What the program does where its first argument is no command of its own: `PROGRAM`, `PROGRAM -h`, `PROGRAM help
/// [COMMAND]`, `PROGRAM --version`. Returns the exit code. Throws UsageError where it is none of these.
[[nodiscard]] int answer_without_command(const Program& program, std::span<const std::string> args);

/// "inkling -h": the commands and the exit codes, at most 80 columns wide.
[[nodiscard]] std::string program_help(const Program& program);

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

/// One of the program, then one of each of its commands.
[[nodiscard]] std::vector<ManualPage> manual_pages(const Program& program);

enum class Shell { bash, zsh, fish };
inline constexpr EnumName<Shell> kShellNames[] = {
    {Shell::bash, "bash"}, {Shell::zsh, "zsh"}, {Shell::fish, "fish"}};

/// A script that the shell reads, after which it completes commands, options and their values.
[[nodiscard]] std::string completion_script(const Program& program, Shell shell);

}  // namespace inkling
