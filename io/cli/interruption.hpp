// Ctrl-C as a question that long loops ask, instead of a sudden end.
#pragma once

#include <stdexcept>

namespace inkling {

class InterruptedError : public std::runtime_error {
 public:
  InterruptedError() : std::runtime_error("interrupted") {}
};

/// From now on the first SIGINT only sets the flag below; a second one ends the process as usual.
void install_interruption_handler();

/// Thread safety: any thread, any time; one relaxed atomic load.
[[nodiscard]] bool interrupted() noexcept;

/// Throws InterruptedError, which ends the program with exit code 130, once Ctrl-C was pressed.
void throw_if_interrupted();

}  // namespace inkling
