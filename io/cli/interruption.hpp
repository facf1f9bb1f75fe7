// Ctrl-C sets a flag that long loops ask for, so that they can end in order.
#pragma once

#include <stdexcept>

namespace inkling {

class InterruptedError : public std::runtime_error {
 public:
  InterruptedError() : std::runtime_error("interrupted") {}
};

/// From now on the first SIGINT only sets the flag; a second one ends the process as usual.
void install_interruption_handler();

/// Whether Ctrl-C was pressed. Thread safety: any thread, any time; one relaxed atomic load.
[[nodiscard]] bool interrupted() noexcept;

/// Throws InterruptedError, which ends the program with exit code 130, once Ctrl-C was pressed.
void throw_if_interrupted();

}  // namespace inkling
