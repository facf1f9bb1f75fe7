// What the terminal can show, and the little styling that the programs use.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>

namespace inkling {

enum class Colour { off, on };

/// What a terminal can do with letters: nothing; bold, underlined and the like; colours, too.
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

/// Writes what only sums up a work that is done to standard output; false where that failed. The failure is then
/// forgotten: it does not change the exit code.
[[nodiscard]] bool print_summary(std::string_view text) noexcept;

/// Told in place of a summary that could not be made.
inline constexpr std::string_view kNoSummary =
    "inkling: the output is complete, but its summary could not be shown\n";

/// Tells text(), which sums up a work that is done. That it cannot be made does not change the exit code: what was made stands.
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

/// The same where NO_COLOR leaves bold and underlined letters.
[[nodiscard]] Styling styling_for(bool is_terminal, const char* no_color, const char* term);

/// Wraps text in ANSI styles, or leaves it as it is where colour is off.
class Style {
 public:
  explicit Style(Colour colour) : colour_(colour) {}

  [[nodiscard]] std::string bold(std::string_view text) const { return wrap("1", text); }
  [[nodiscard]] std::string dim(std::string_view text) const { return wrap("2", text); }
  /// The colour of a chart's series; the palette repeats after series_colours.
  [[nodiscard]] std::string series(std::string_view text, std::size_t index) const;

  static constexpr std::size_t series_colours = 6;

 private:
  [[nodiscard]] std::string wrap(std::string_view code, std::string_view text) const;

  Colour colour_;
};

}  // namespace inkling
