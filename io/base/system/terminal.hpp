// The terminal that a person sits at.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "io/base/system/waiting.hpp"

namespace inkling {

[[nodiscard]] bool is_terminal(StandardStream stream) noexcept;

/// Whether standard input may be read: a program in the background would be stopped by reading its terminal.
[[nodiscard]] bool may_read_terminal() noexcept;

struct TerminalSize {
  int columns = 0;  ///< 0: not known
  int rows = 0;
};
[[nodiscard]] TerminalSize terminal_size(StandardStream stream) noexcept;

/// Discards the bytes that the C library holds for standard output and could not write.
void drop_unwritten_output() noexcept;

/// While it exists, keys arrive one by one and are not shown. SIGINT, SIGTERM and SIGHUP set the flag of interruption.hpp; a
/// second one ends the process at once. Ctrl-Z stops the process. The terminal gets its earlier state back in every end or stop
/// that the process can notice. Thread safety: one at a time, in the main thread; signals may reach any thread.
class RawTerminal {
 public:
  /// Shows `enter` when it takes the terminal, and `leave` when it gives it back. Throws SystemError. Lifetime: both are
  /// literals. Requires: standard input is a terminal.
  RawTerminal(std::string_view enter, std::string_view leave);
  ~RawTerminal();
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

  /// If Ctrl-Z was pressed, stops the process. True if the process was continued or the size changed: then the screen must be
  /// drawn again.
  [[nodiscard]] bool must_redraw();
  /// Whether the next must_redraw() will be true.
  [[nodiscard]] bool is_disturbed() const noexcept;

  /// Waits for typed keys, at most this long (-1: for ever); 0 if there were none, nothing if the terminal is gone.
  [[nodiscard]] std::optional<std::size_t> read(std::span<char> keys, int milliseconds) noexcept;
  /// Discards what was typed and not read.
  void drop_typed() noexcept;
  /// False where the terminal is gone or a signal asked the program to end.
  [[nodiscard]] bool show(std::string_view bytes) noexcept;

 private:
  Waker waker_;
};

}  // namespace inkling
