// Where words begin and end in scripts that put no blanks between them, by the dictionaries of ICU.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace inkling {

/// Whether the character is of Chinese, Japanese, Thai, Lao, Khmer or Burmese, its marks included. Thread safety: any thread.
[[nodiscard]] bool is_of_unspaced_script(char32_t character) noexcept;

/// The same of some character of the text. Requires: well-formed UTF-8.
[[nodiscard]] bool has_unspaced_script(std::string_view text) noexcept;

/// Whether it is a mark of such a script, as a vowel of Thai: no letter, and part of a word. Thread safety: any thread.
[[nodiscard]] bool is_unspaced_mark(char32_t character) noexcept;

/// In bytes, ascending: each end of a word in a stretch of such scripts, and where the stretch begins. A stretch is cut by
/// itself, whatever stands around it. Another version of ICU may cut a few words otherwise.
/// Requires: well-formed UTF-8. Thread safety: any thread.
[[nodiscard]] std::vector<std::size_t> word_breaks(std::string_view text);

}  // namespace inkling
