#include "io/cli/command_line.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/cli/interruption.hpp"
#include "io/file/corrupt_file_error.hpp"
#include "io/file/mapped_file.hpp"
#include "io/file/utf8.hpp"

namespace inkling {
namespace {

// One line, whatever stands in the message. If it cannot be written there is no other place for it, so failures are
// ignored.
int complain(const std::string& who, std::string_view what, int code) {
  std::fputs(fmt::format("{}: {}\n", who, visible_text(what)).c_str(), stderr);
  return code;
}

int report_output_failure(const std::string& who, int error) {
  if (error == EPIPE) return ExitCode::system;
  return complain(who, fmt::format("standard output: {}", std::generic_category().message(error)),
                  ExitCode::system);
}

// Requires: called while an exception is handled.
int report_exception(const std::string& who) {
  try {
    throw;
  } catch (const UsageError& error) {
    return complain(who, error.what(), ExitCode::usage);
  } catch (const InterruptedError&) {
    return complain(who, "interrupted", ExitCode::interrupted);
  } catch (const CorruptFileError& error) {
    return complain(who, error.what(), ExitCode::corrupt_file);
  } catch (const FormatError& error) {
    return complain(who, error.what(), ExitCode::bad_input);
  } catch (const SystemError& error) {
    return complain(who, error.what(), ExitCode::system);
  } catch (const std::system_error& error) {
    // Only fmt::print throws this one.
    return report_output_failure(who, error.code().value());
  } catch (const std::bad_alloc&) {
    return complain(who, "not enough memory", ExitCode::system);
  } catch (const NumericalError& error) {
    return complain(who, fmt::format("numerical error: {}", error.what()), ExitCode::internal);
  } catch (const std::exception& error) {
    return complain(who, fmt::format("internal error: {}", error.what()), ExitCode::internal);
  }
}

std::string program_help(const Program& program) {
  std::string help =
      fmt::format("Usage: {} COMMAND [OPTION]...\n\n{}\n\nCommands:\n", program.name, program.purpose);
  for (const Command& command : program.commands) {
    help += fmt::format("  {:<12} {}\n", command.name, command.purpose);
  }
  help += "\nOptions:\n  -h, --help   show this text, or that of a command: COMMAND -h\n";
  help += "  --version    show the version\n";
  return help;
}

[[noreturn]] void fail_unknown(const Program& program, const std::string& written) {
  if (written.starts_with('-')) {
    const std::vector<std::string> options = {"--help", "--version"};
    throw UsageError(
        fmt::format("unknown option {}{}", in_quotes(written), did_you_mean("", written, options)));
  }
  std::vector<std::string> commands;
  commands.reserve(program.commands.size());
  for (const Command& command : program.commands) commands.push_back(command.name);
  throw UsageError(fmt::format("unknown command {}{}; '{} -h' lists them", in_quotes(written),
                               did_you_mean("", written, commands), program.name));
}

// Without a command: what the program itself answers.
int run_without_command(const Program& program, std::span<const std::string> args) {
  const std::string first = args.empty() ? "--help" : args.front();
  if (first == "-h" || first == "--help") {
    fmt::print("{}", program_help(program));
    return ExitCode::ok;
  }
  if (first == "--version") {
    fmt::print("{} {}\n", program.name, program.version);
    return ExitCode::ok;
  }
  fail_unknown(program, first);
}

const Command* find_command(const Program& program, std::span<const std::string> args) {
  if (args.empty()) return nullptr;
  const auto found = std::ranges::find(program.commands, args.front(), &Command::name);
  return found == program.commands.end() ? nullptr : &*found;
}

const char* guarded_program = "";

// Only async-signal-safe calls here and in the handler.
void write_error(const char* text) {
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text, std::strlen(text));
}

void handle_bus_error(int signal, siginfo_t* info, void* /*context*/) {
  const char* const path = info->si_code == BUS_ADRERR ? mapped_path_at(info->si_addr) : nullptr;
  if (path == nullptr) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  write_error(guarded_program);
  write_error(": ");
  write_error(path);
  write_error(": became shorter while it was being read\n");
  ::_exit(ExitCode::corrupt_file);
}

}  // namespace

void install_mapping_guard(const char* program) {
  guarded_program = program;
  struct sigaction action = {};
  action.sa_sigaction = handle_bus_error;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, nullptr);
}

Command command_of(OptionTable table, std::function<int(const ParsedOptions&)> body) {
  const OptionTable::Description& description = table.description();
  const std::size_t last_word = description.command.rfind(' ') + 1;
  return {.name = description.command.substr(last_word),
          .purpose = description.purpose,
          .run = [table = std::move(table), body = std::move(body)](std::span<const std::string> args) {
            const ParsedOptions options = table.parse(args);
            if (!options.help_wanted()) return body(options);
            fmt::print("{}", table.help());
            return ExitCode::ok;
          }};
}

int run_program(const Program& program, int argc, const char* const* argv) {
  install_interruption_handler();
  // A closed pipe is then a failed write with an exit code, and does not kill the process.
  std::signal(SIGPIPE, SIG_IGN);

  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  const Command* const command = find_command(program, args);
  const std::string who = command == nullptr ? program.name : program.name + " " + command->name;
  int code = ExitCode::ok;
  try {
    code = command == nullptr ? run_without_command(program, args) : command->run(std::span(args).subspan(1));
  } catch (...) {
    code = report_exception(who);
  }
  if (std::fflush(stdout) != 0 && code == ExitCode::ok) code = report_output_failure(who, errno);
  return code;
}

}  // namespace inkling
