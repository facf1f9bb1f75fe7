// How a program ends that fails: a message on standard error and an exit code, even where no memory is left for either.
#pragma once

namespace inkling {

/// The exit codes of both programs. One that a signal ended in order has 128 and the number of the signal.
struct ExitCode {
  static constexpr int ok = 0;
  static constexpr int internal = 1;
  static constexpr int usage = 2;
  static constexpr int bad_input = 3;
  static constexpr int system = 4;
  static constexpr int corrupt_file = 5;
  static constexpr int interrupted = 130;  // by Ctrl-C
};

/// Who speaks in a message: "inkling" or "inkling build". Lifetime: lends its texts.
struct Speaker {
  const char* program = "";
  const char* command = nullptr;
};

/// Says on standard error what the exception says that is being handled, and returns its exit code.
/// Requires: called while an exception is handled.
[[nodiscard]] int report_exception(Speaker who) noexcept;

/// The same where standard output could not be written. A reader that closed the pipe wants no message.
[[nodiscard]] int report_output_failure(Speaker who, int error) noexcept;

/// From now on a program that has no memory left has a little for its way out. One that fails for that reason where
/// nothing catches it, or that a library ends, ends with "PROGRAM: not enough memory" and ExitCode::system. From then on
/// io/base/process/memory_flag.hpp says that memory ran out.
/// Lifetime: `program` is a literal. Thread safety: call once, from main.
void install_memory_guard(const char* program) noexcept;

/// For main, which returns this code: no library has ended the program.
[[nodiscard]] int end_in_order(int code) noexcept;

}  // namespace inkling
