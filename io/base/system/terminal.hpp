// The terminal that a person sits at.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "io/base/system/waiting.hpp"

namespace inkling {

[[nodiscard]] bool is_terminal(StandardStream stream) noexcept;

struct TerminalSize {
  int columns = 0;  ///< 0: not known
  int rows = 0;
};
[[nodiscard]] TerminalSize terminal_size(StandardStream stream) noexcept;

/// Forgets what the C library holds for standard output and could not write.
void drop_unwritten_output() noexcept;

/// While it exists, keys come one by one and are not shown. SIGINT, SIGTERM and SIGHUP set the flag of interruption.hpp; a
/// second one ends the process at once. Ctrl-Z stops the process. Whatever ends or stops the process in a way that it can
/// notice, the terminal is as it was before. Thread safety: one at a time, in the main thread; signals may reach any thread.
class RawTerminal {
 public:
  /// `enter` is shown when it takes the terminal, `leave` when it gives it back. Throws SystemError. Lifetime: both literals.
  /// Requires: standard input is a terminal.
  RawTerminal(std::string_view enter, std::string_view leave);
  ~RawTerminal();
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

  /// Stops where Ctrl-Z was pressed. True where the process was continued or the size changed: the screen has to be drawn.
  [[nodiscard]] bool must_redraw();
  /// Whether the next must_redraw() will be true.
  [[nodiscard]] bool is_disturbed() const noexcept;

  /// Waits at most so long (-1: for ever) for what is typed; 0 where nothing came, nothing where the terminal is gone.
  [[nodiscard]] std::optional<std::size_t> read(std::span<char> keys, int milliseconds) noexcept;
  /// Forgets what was typed and not read.
  void drop_typed() noexcept;
  /// False where the terminal is gone or a signal asked the program to end.
  [[nodiscard]] bool show(std::string_view bytes) noexcept;

 private:
  Waker waker_;
};

}  // namespace inkling
