#include "io/doors/screen/key_terminal.hpp"

#include <array>
#include <utility>

#include "io/base/system/interruption.hpp"
#include "io/doors/cli/terminal.hpp"

namespace inkling {
namespace {

// Alternate screen, bracketed paste and no cursor; then the reverse.
constexpr std::string_view kEnterScreen = "\x1b[?1049h\x1b[?2004h\x1b[?25l\x1b[H\x1b[2J";
constexpr std::string_view kLeaveScreen = "\x1b[0m\x1b[?25h\x1b[?2004l\x1b[?1049l";

}  // namespace

bool KeyTerminal::is_possible() {
  return is_terminal(StandardStream::input) && terminal_facts(Stream::output).styling != Styling::none;
}

KeyTerminal::KeyTerminal() : terminal_(kEnterScreen, kLeaveScreen) {}

Key KeyTerminal::read() {
  constexpr int escape_waits_ms = 60;
  while (true) {
    throw_if_interrupted();
    if (terminal_.must_redraw()) return {Key::Kind::redraw};
    if (std::optional<Key> key = keys_.take()) return *std::move(key);
    if (at_end_) return {Key::Kind::end_of_input};
    const bool is_unfinished = keys_.is_unfinished();
    if (!read_some(is_unfinished ? escape_waits_ms : -1) && is_unfinished && !terminal_.is_disturbed())
      if (std::optional<Key> key = keys_.take_unfinished()) return *std::move(key);
  }
}

bool KeyTerminal::read_some(int milliseconds) {
  std::array<char, 4096> bytes = {};
  const std::optional<std::size_t> count = terminal_.read(bytes, milliseconds);
  at_end_ = at_end_ || !count;
  if (!count || *count == 0) return false;
  keys_.feed(std::string_view(bytes.data(), *count));
  return true;
}

void KeyTerminal::drop_typed() {
  keys_.drop();
  terminal_.drop_typed();
}

}  // namespace inkling
