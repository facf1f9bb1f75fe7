#include "io/doors/cli/failure_report.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/partial_folder.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/memory_flag.hpp"
#include "io/base/system/interruption.hpp"
#include "io/base/system/signals.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/cli/usage_error.hpp"

namespace inkling {
namespace {

std::string name_of_speaker(Speaker who) {
  return who.command == nullptr ? std::string(who.program) : fmt::format("{} {}", who.program, who.command);
}

// Writes one line, even if the message has several.
int complain(Speaker who, std::string_view what, int code) {
  tell(fmt::format("{}: {}\n", name_of_speaker(who), visible_text(what)));
  return code;
}

// Allocates no memory.
int complain_without_memory(Speaker who, const char* what) noexcept {
  std::array<char, 512> line{};
  const bool has_command = who.command != nullptr;
  const int size = std::snprintf(line.data(), line.size(), "%s%s%s: %s\n", who.program, has_command ? " " : "",
                                 has_command ? who.command : "", what);
  if (size > 0) {
    const std::size_t whole = std::min(static_cast<std::size_t>(size), line.size() - 1);
    write_error({line.data(), whole});
  }
  return ExitCode::system;
}

constexpr const char* kNoMemory =
    "not enough memory; free some of this machine's, or raise the limit of this process (ulimit -v)";
constexpr const char* kNoThread =
    "a thread could not be started; ask for fewer with --threads, or raise the limit on processes (ulimit "
    "-u, pids.max)";

// The limits that a person can raise.
std::string remedy_of(int error) {
  switch (error) {
    case EFBIG: return "; raise the limit of this process on the size of files (ulimit -f)";
    case EMFILE: return "; raise the limit of this process on open files (ulimit -n)";
    case ENOMEM: return "; raise the limit of this process on memory (ulimit -v)";
    default: return {};
  }
}

int report_interruption(Speaker who) {
  const int signal = interrupting_signal();
  const std::string_view name = name_of_end_signal(signal);
  if (name.empty()) return complain(who, "interrupted", ExitCode::interrupted);
  return complain(who, fmt::format("interrupted by {}", name), 128 + signal);
}

// Reports a call to the system that failed in a library. fmt::print throws this error, too; then the error flag of stdout is set.
int report_system_error(Speaker who, const std::system_error& error) {
  if (interrupted()) return report_interruption(who);
  if (std::ferror(stdout) != 0) return report_output_failure(who, error.code().value());
  return complain(who, error.what(), ExitCode::system);
}

// The message is the only sign by which TBB shows this failure.
bool is_missing_thread(const std::exception& error) noexcept {
  return std::string_view(error.what()).find("pthread_create") != std::string_view::npos;
}

int report_other(Speaker who, const std::exception& error) {
  if (is_missing_thread(error)) return complain(who, kNoThread, ExitCode::system);
  return complain(who, fmt::format("internal error: {}", error.what()), ExitCode::internal);
}

int report_error(Speaker who) {
  try {
    throw;
  } catch (const CorruptFileError& error) {
    return complain(who, error.what(), ExitCode::corrupt_file);
  } catch (const FormatError& error) {
    return complain(who, error.what(), ExitCode::bad_input);
  } catch (const SystemError& error) {
    return complain(who, error.what() + remedy_of(error.error_number()), ExitCode::system);
  } catch (const std::filesystem::filesystem_error& error) {
    return complain(who, fmt::format("{}: {}", error.path1().generic_string(), error.code().message()), ExitCode::system);
  } catch (const std::system_error& error) {
    return report_system_error(who, error);
  } catch (const NumericalError& error) {
    return complain(who, fmt::format("numerical error: {}", error.what()), ExitCode::internal);
  } catch (const std::bad_alloc&) {
    return complain_without_memory(who, kNoMemory);
  } catch (const std::exception& error) {
    return report_other(who, error);
  }
}

int report_handled(Speaker who) {
  try {
    throw;
  } catch (const UsageError& error) {
    return complain(who, error.what(), ExitCode::usage);
  } catch (const InterruptedError&) {
    return report_interruption(who);
  } catch (const std::exception&) {
    // If memory ran out, that is the reason, not what a library reports, such as a file that it could not read.
    return memory_ran_out() ? complain_without_memory(who, kNoMemory) : report_error(who);
  }
}

// A reserve that is freed when memory runs out, so that ending the program has some memory.
void* memory_of_last_resort = nullptr;
const char* program_without_memory = "";
std::terminate_handler terminate_otherwise = nullptr;

void free_last_resort() {
  remember_failed_allocation();
  std::free(std::exchange(memory_of_last_resort, nullptr));
  throw std::bad_alloc();
}

[[noreturn]] void end_abruptly(const char* what) noexcept {
  const int code = complain_without_memory({program_without_memory}, what);
  remove_partial_folders();
  end_at_once(code);
}

// Called for an exception that nothing catches, as in a thread of a library. Some libraries end here without an exception when
// they run out of memory.
[[noreturn]] void end_or_terminate() {
  if (memory_ran_out()) end_abruptly(kNoMemory);
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    end_abruptly(kNoMemory);
  } catch (const std::exception& error) {
    if (is_missing_thread(error)) end_abruptly(kNoThread);
  } catch (...) {
    // Nothing is known about it.
  }
  terminate_otherwise();
  std::abort();
}

bool main_has_returned = false;

// Some libraries call exit() themselves, but only if they get no memory.
void end_as_without_memory() {
  if (!main_has_returned) end_abruptly(kNoMemory);
}

}  // namespace

int report_output_failure(Speaker who, int error) noexcept {
  if (error == EPIPE) return ExitCode::system;
  try {
    if (interrupted()) return report_interruption(who);
    const std::string what = error == ENOTCONN ? "it is closed" : std::generic_category().message(error);
    return complain(who, fmt::format("standard output: {}{}", what, remedy_of(error)), ExitCode::system);
  } catch (...) {
    return complain_without_memory(who, kNoMemory);
  }
}

int report_exception(Speaker who) noexcept {
  try {
    return report_handled(who);
  } catch (...) {
    return complain_without_memory(who, kNoMemory);
  }
}

void install_memory_guard(const char* program) noexcept {
  constexpr std::size_t enough = std::size_t{1} << 18U;
  program_without_memory = program;
  memory_of_last_resort = std::malloc(enough);  // NOLINT(cppcoreguidelines-no-malloc): no constructor is to run
  std::set_new_handler(free_last_resort);
  terminate_otherwise = std::set_terminate(end_or_terminate);
  std::atexit(end_as_without_memory);
}

int end_in_order(int code) noexcept {
  main_has_returned = true;
  return code;
}

}  // namespace inkling
