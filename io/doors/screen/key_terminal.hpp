// A terminal that gives single keys and shows whole screens, and is afterwards as it was before.
#pragma once

#include <optional>
#include <string_view>

#include "io/base/system/terminal.hpp"
#include "io/doors/screen/key.hpp"

namespace inkling {

/// While it exists, keys come one by one and are not shown, and the alternate screen hides the normal one. See RawTerminal for
/// signals and threads.
class KeyTerminal {
 public:
  /// Whether standard input and output are a terminal that can do this: not where TERM is not set or "dumb".
  [[nodiscard]] static bool is_possible();

  /// Throws SystemError. Requires: is_possible().
  KeyTerminal();

  /// Waits for a key. `Key::Kind::redraw` where the size changed or the process was continued, `end_of_input` where the
  /// terminal is gone. Throws InterruptedError.
  [[nodiscard]] Key read();

  /// Forgets what was typed ahead.
  void drop_typed();

  /// Shows these bytes; false where the terminal is gone.
  [[nodiscard]] bool show(std::string_view bytes) { return terminal_.show(bytes); }

 private:
  // Waits for input, at most this long (-1: for ever), and reads it. False if there was none.
  bool read_some(int milliseconds);

  RawTerminal terminal_;
  KeyDecoder keys_;
  bool at_end_ = false;
};

}  // namespace inkling
