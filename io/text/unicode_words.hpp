// Which characters make words, and how text is lower-cased, by the Unicode standard.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace inkling {

struct Utf8Character {
  char32_t code_point;
  std::size_t length;  ///< in bytes
};

/// Requires: the text begins with a whole well-formed character.
[[nodiscard]] inline Utf8Character first_character(std::string_view text) noexcept {
  const auto byte = [text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const auto rest = [&byte](std::size_t at) { return static_cast<char32_t>(byte(at) & 0x3FU); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) return {((lead & 0x1FU) << 6U) | rest(1), 2};
  if (lead < 0xF0) return {((lead & 0x0FU) << 12U) | (rest(1) << 6U) | rest(2), 3};
  return {((lead & 0x07U) << 18U) | (rest(1) << 12U) | (rest(2) << 6U) | rest(3), 4};
}

/// The version of Unicode whose characters are known here, for every version of the library that holds the
/// tables: a newer character is not part of a word, so that a pool comes out the same everywhere.
inline constexpr std::string_view kUnicodeVersion = "14.0";

/// A letter or a number (general categories L and N) or the underscore; what \w matches in Python.
/// Thread safety: any thread.
[[nodiscard]] bool is_word_character(char32_t character);

/// Appends the text in lower case by the full mapping, the final sigma included. Requires: well-formed UTF-8.
/// Thread safety: any thread, each with its own output.
void append_lower_case(std::string& out, std::string_view text);

}  // namespace inkling
