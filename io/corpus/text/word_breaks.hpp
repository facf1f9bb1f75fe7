// Where words begin and end in scripts that put no blanks between them, by the dictionaries of ICU.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace inkling {

/// Whether the character is of Chinese, Japanese, Thai, Lao, Khmer or Burmese, its marks included. Thread safety: any thread.
[[nodiscard]] bool is_of_unspaced_script(char32_t character) noexcept;

/// Whether any character of the text is of such a script. Requires: well-formed UTF-8.
[[nodiscard]] bool has_unspaced_script(std::string_view text) noexcept;

/// Whether the character is a mark of such a script, such as a vowel of Thai: it is not a letter, but part of a word.
/// Thread safety: any thread.
[[nodiscard]] bool is_unspaced_mark(char32_t character) noexcept;

/// Positions in bytes, ascending: the begin of each stretch of such scripts, and the end of each word in it. How a
/// stretch is cut does not depend on the text around it. Another version of ICU may cut a few words differently.
/// Requires: well-formed UTF-8. Thread safety: any thread.
[[nodiscard]] std::vector<std::size_t> word_breaks(std::string_view text);

}  // namespace inkling
