// Tells what is a character in UTF-8 and what is not.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace inkling {

/// The length in bytes of the well-formed character that the text begins with; 0 where it begins with none
/// (stray or missing continuation bytes, overlong forms, surrogates, above U+10FFFF, or no text at all).
[[nodiscard]] std::size_t utf8_character_length(std::string_view text);

/// U+FFFD, which stands for a byte that is part of no character.
inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

/// How many characters, where a byte that is part of none counts as one.
[[nodiscard]] std::size_t utf8_count(std::string_view text);

/// The first characters of a text; one that is longer ends in an ellipsis in place of the rest.
/// Requires: most >= 1.
[[nodiscard]] std::string utf8_shortened(std::string_view text, std::size_t most);

/// The text in quotes: short, valid UTF-8, and without characters that would do something to a terminal.
[[nodiscard]] std::string quoted_text(std::string_view text);

}  // namespace inkling
