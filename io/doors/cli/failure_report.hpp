// Ends a program that fails: a message on standard error and an exit code, even if no memory is left for either.
#pragma once

namespace inkling {

/// The exit codes of both programs. After an orderly end by a signal the code is 128 + the number of the signal.
struct ExitCode {
  static constexpr int ok = 0;
  static constexpr int internal = 1;
  static constexpr int usage = 2;
  static constexpr int bad_input = 3;
  static constexpr int system = 4;
  static constexpr int corrupt_file = 5;
  static constexpr int interrupted = 130;  // by Ctrl-C
};

/// The program that a message names: "inkling" or "inkling build". Lifetime: lends its texts.
struct Speaker {
  const char* program = "";
  const char* command = nullptr;
};

/// Writes a message for the current exception to standard error, and returns its exit code.
/// Requires: called while an exception is handled.
[[nodiscard]] int report_exception(Speaker who) noexcept;

/// The same for a failed write to standard output. There is no message if the reader closed the pipe.
[[nodiscard]] int report_output_failure(Speaker who, int error) noexcept;

/// Reserves some memory for ending the program when memory runs out. From now on, a program that ends for lack of memory, by an
/// exception that nothing catches or by a library, writes "PROGRAM: not enough memory" and has ExitCode::system. After that
/// io/base/process/memory_flag.hpp says that memory ran out.
/// Lifetime: `program` is a literal. Thread safety: call once, from main.
void install_memory_guard(const char* program) noexcept;

/// Called by main on its normal end; returns the code. Shows that no library has ended the program.
[[nodiscard]] int end_in_order(int code) noexcept;

}  // namespace inkling
