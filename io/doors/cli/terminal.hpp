// What the terminal can show, and messages on it.
#pragma once

#include <exception>
#include <string_view>

#include "io/base/wording/style.hpp"

namespace inkling {

/// How a terminal can show letters: plain; bold, underlined and the like; in colours, too.
enum class Styling { none, shapes, colours };

enum class Stream { output, error };

struct TerminalFacts {
  bool is_terminal = false;
  Colour colour = Colour::off;
  Styling styling = Styling::none;
  int columns = 80;
  int rows = 24;
};

/// Asks the system and the environment now.
[[nodiscard]] TerminalFacts terminal_facts(Stream stream);

/// Writes to standard error. Where that is closed or full there is no other place for it, so failures are ignored.
void tell(std::string_view text) noexcept;

/// Writes a summary of finished work to standard output; false if that failed. The failure is then forgotten: it does not
/// change the exit code.
[[nodiscard]] bool print_summary(std::string_view text) noexcept;

/// Shown if a summary could not be made.
inline constexpr std::string_view kNoSummary = "inkling: the output is complete, but its summary could not be shown\n";

/// Writes text(), a summary of finished work, to standard error. If it cannot be made, the exit code stays the same: the output
/// is complete.
template <typename Text>
void tell_summary(const Text& text) noexcept {
  try {
    tell(text());
  } catch (const std::exception&) {  // most likely there was not enough memory
    tell(kNoSummary);
  }
}

/// On for a terminal, unless NO_COLOR is set and not empty, or TERM is not set or "dumb". A null pointer is a
/// variable that is not set.
[[nodiscard]] Colour colour_for(bool is_terminal, const char* no_color, const char* term);

/// The same, but with NO_COLOR set, bold and underlined letters stay.
[[nodiscard]] Styling styling_for(bool is_terminal, const char* no_color, const char* term);

}  // namespace inkling
