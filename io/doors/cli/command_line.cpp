#include "io/doors/cli/command_line.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/base/system/mapping.hpp"
#include "io/base/system/process.hpp"
#include "io/base/system/signals.hpp"
#include "io/doors/cli/interruption.hpp"
#include "io/doors/cli/usage_error.hpp"

namespace inkling {
namespace {

int run_without_command(const Program& program, std::span<const std::string> args) {
  if (program.otherwise) return program.otherwise(program, args);
  throw UsageError("expected a command");
}

const char* guarded_program = "";

// Async-signal-safe.
void report_cut_file(const char* path) {
  write_error(guarded_program);
  write_error(": ");
  write_error(path);
  write_error(": became shorter while it was being read\n");
  end_at_once(ExitCode::corrupt_file);
}

}  // namespace

void install_mapping_guard(const char* program) {
  guarded_program = program;
  on_cut_file(report_cut_file);
}

std::size_t words_of(const Command& command) { return static_cast<std::size_t>(std::ranges::count(command.name, ' ')) + 1; }

const Command* find_command(const Program& program, std::span<const std::string> args) {
  for (const Command& command : commands_of(program)) {
    const std::size_t words = words_of(command);
    if (words <= args.size() && command.name == fmt::format("{}", fmt::join(args.first(words), " "))) return &command;
  }
  for (const Command& command : program.inner)
    if (!args.empty() && command.name == args.front()) return &command;
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
  return command == nullptr ? run_without_command(program, args) : command->run(args.subspan(words_of(*command)));
}

}  // namespace

int run_program(const Program& program, int argc, const char* const* argv) {
  hold_standard_streams();
  install_interruption_handler();
  outlive_failed_writes();
  Speaker who = {program.name.c_str()};
  int code = ExitCode::ok;
  try {
    const std::vector<std::string> args = program_arguments(argc, argv);
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
