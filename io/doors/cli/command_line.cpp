#include "io/doors/cli/command_line.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "io/base/file/mapped_file.hpp"
#include "io/doors/cli/interruption.hpp"
#include "io/doors/cli/usage_error.hpp"

namespace inkling {
namespace {

int run_without_command(const Program& program, std::span<const std::string> args) {
  if (program.otherwise) return program.otherwise(program, args);
  throw UsageError("expected a command");
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

std::size_t words_of(const Command& command) {
  return static_cast<std::size_t>(std::ranges::count(command.name, ' ')) + 1;
}

const Command* find_command(const Program& program, std::span<const std::string> args) {
  for (const Command& command : commands_of(program)) {
    const std::size_t words = words_of(command);
    if (words <= args.size() && command.name == fmt::format("{}", fmt::join(args.first(words), " ")))
      return &command;
  }
  return nullptr;
}

Command command_of(OptionTable table, std::function<int(const ParsedOptions&)> body) {
  const auto shared = std::make_shared<const OptionTable>(std::move(table));
  const OptionTable::Description& description = shared->description();
  return {.name = description.command.substr(description.command.find(' ') + 1),
          .purpose = description.purpose,
          .run =
              [shared, body = std::move(body)](std::span<const std::string> args) {
                const ParsedOptions options = shared->parse(args);
                if (!options.help_wanted()) return body(options);
                fmt::print("{}", shared->help(*options.help_wanted()));
                return ExitCode::ok;
              },
          .table = shared};
}

namespace {

int run_command(const Program& program, const Command* command, std::span<const std::string> args) {
  return command == nullptr ? run_without_command(program, args)
                            : command->run(args.subspan(words_of(*command)));
}

}  // namespace

int run_program(const Program& program, int argc, const char* const* argv) {
  hold_standard_descriptors();
  install_interruption_handler();
  // A closed pipe, and a file that may not become larger, are then failed writes and do not kill the process.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);

  Speaker who = {program.name.c_str()};
  int code = ExitCode::ok;
  try {
    const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
    const Command* const command = find_command(program, args);
    if (command != nullptr) who.command = command->name.c_str();
    code = run_command(program, command, args);
  } catch (...) {
    code = report_exception(who);
  }
  if (std::fflush(stdout) != 0 && code == ExitCode::ok) code = report_output_failure(who, errno);
  return code;
}

int run_main(const char* name, Program (*make)(), int argc, const char* const* argv) noexcept {
  install_mapping_guard(name);
  install_memory_guard(name);
  try {
    return end_in_order(run_program(make(), argc, argv));
  } catch (...) {
    return end_in_order(report_exception({name}));
  }
}

}  // namespace inkling
