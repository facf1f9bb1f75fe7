// A signal that asks the program to end sets a flag, which long work and waiting reads check.
#pragma once

#include <stdexcept>

#include "io/base/system/file.hpp"

namespace inkling {

/// The program was asked to end. Its exit code is 128 and the number of the signal.
class InterruptedError : public std::runtime_error {
 public:
  InterruptedError() : std::runtime_error("interrupted") {}
};

/// Remembers that this signal asked the program to end, and wakes await_input. For signal handlers: async-signal-safe.
void remember_interruption(int signal) noexcept;

/// Makes the waker of await_input, which remember_interruption uses. Thread safety: call once, from main.
void prepare_interruption();

/// The signal that asked, or 0. Thread safety: any thread, any time; one relaxed atomic load.
[[nodiscard]] int interrupting_signal() noexcept;

/// Whether a signal asked the program to end.
[[nodiscard]] inline bool interrupted() noexcept { return interrupting_signal() != 0; }

/// Throws InterruptedError where a signal asked the program to end.
void throw_if_interrupted();

/// Waits until the file has something to read, an error or its end. Call it before a read that may wait, of a pipe or a terminal:
/// a signal that asks the program to end then ends this wait, whichever thread gets it. Throws InterruptedError.
void await_input(const File& file);

}  // namespace inkling
