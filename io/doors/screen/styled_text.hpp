// Text in pieces, each with a look of its own, cut into lines for a terminal.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/doors/cli/terminal.hpp"

namespace inkling {

enum class Look {
  plain,
  heading,
  quiet,           ///< explanations
  warning,         ///< errors
  chosen,          ///< the line that a key would act on
  speaks_for,      ///< a word that was learned to speak for a document
  speaks_against,  ///< a word that was learned to speak against a document
  marked_for,      ///< a word that the person marked as speaking for a document
  marked_against,
};

struct StyledPiece {
  std::string text;
  Look look = Look::plain;

  bool operator==(const StyledPiece&) const = default;
};
using StyledLine = std::vector<StyledPiece>;

/// How many columns of a terminal the text takes: two for each wide character of East Asia and emoji, none for an accent
/// that is put over the character before it. Thread safety: pure.
[[nodiscard]] std::size_t columns_of(std::string_view text);

/// The text as a terminal may show it (`visible_text`), in lines of at most `columns` columns. Its lines stay lines, and a tab is
/// four spaces. A line that is too long is cut between words, and a word that is too long between any two characters. A text that
/// ends in a line end has no empty line after it. Requires: columns >= 2. Thread safety: pure.
[[nodiscard]] std::vector<StyledLine> wrapped_lines(std::span<const StyledPiece> text, std::size_t columns);

/// The same for a text of one look.
[[nodiscard]] std::vector<StyledLine> wrapped_lines(std::string_view text, std::size_t columns);

/// The beginning of a line that fits into `columns` columns. Requires: every character of it may be shown.
[[nodiscard]] StyledLine cut_line(const StyledLine& line, std::size_t columns);

/// The characters of a line without their looks.
[[nodiscard]] std::string plain_text(const StyledLine& line);

/// The characters of a line as a terminal gets them, without a line end.
[[nodiscard]] std::string rendered(const StyledLine& line, Styling styling);

}  // namespace inkling
