// Characters of UTF-8, and bytes that are none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace inkling {

/// The length in bytes of the well-formed character that the text begins with; 0 where it begins with none
/// (stray or missing continuation bytes, overlong forms, surrogates, above U+10FFFF, or no text at all).
[[nodiscard]] std::size_t utf8_character_length(std::string_view text);

/// U+FFFD, which replaces a byte that is part of no character.
inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

/// The number of characters; a byte that is part of none counts as one.
[[nodiscard]] std::size_t utf8_count(std::string_view text);

/// The first `most` characters of a text; if it is longer, an ellipsis is the last of them.
/// Requires: most >= 1.
[[nodiscard]] std::string utf8_shortened(std::string_view text, std::size_t most);

/// The code point of a character. Requires: one well-formed character.
[[nodiscard]] char32_t code_point(std::string_view character);

/// Appends the character of this number; U+FFFD for 0 and for what is no character.
void append_character(char32_t point, std::string& out);

/// Whether a terminal would act on this character instead of showing it: controls of ASCII and of Unicode, line ends, changes of
/// the direction of writing.
[[nodiscard]] bool acts_on_terminal(char32_t point);

/// The text as a terminal may show it, in valid UTF-8. What is no character, and what acts_on_terminal, is shown as
/// "\xNN" or "\u{NNNN}". Whatever comes from a document, a name or a label goes through this before it is shown to a
/// person.
[[nodiscard]] std::string visible_text(std::string_view text);

/// The beginning of the text, visible and in quotes.
[[nodiscard]] std::string quoted_text(std::string_view text);

/// The text with small letters instead of ASCII capitals; all other bytes stay the same.
[[nodiscard]] std::string ascii_lower_case(std::string_view text);

}  // namespace inkling
