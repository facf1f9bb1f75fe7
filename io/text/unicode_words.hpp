// Which characters make words, and how text is lower-cased, by the Unicode standard.
#pragma once

#include <string>
#include <string_view>

namespace inkling {

/// The version of Unicode whose characters are known here, whatever the version of the library that holds the
/// tables: a newer character is no part of a word, so that a pool comes out the same everywhere.
inline constexpr std::string_view unicode_version = "14.0";

/// A letter or a number (general categories L and N) or the underscore; what \w matches in Python.
/// Thread safety: any thread.
[[nodiscard]] bool is_word_character(char32_t character);

/// Appends the text in lower case by the full mapping, the final sigma included. Requires: well-formed UTF-8.
/// Thread safety: any thread, each with its own output.
void append_lower_case(std::string& out, std::string_view text);

}  // namespace inkling
