// Turns bytes into valid UTF-8 by a stated rule for bytes that are not characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/core/enum_names.hpp"
#include "io/corpus/text/padded_text.hpp"

namespace inkling {

enum class TextEncoding {
  utf8,
  detected,  ///< UTF-8, if a file as a whole was not found to be in another one
  latin1,    ///< each byte is the character of that number
  cp1252,    ///< Windows-1252: as latin1, but 0x80 to 0x9F are 27 other characters and 5 bytes without one
};
inline constexpr EnumName<TextEncoding> kTextEncodingNames[] = {{TextEncoding::utf8, "utf-8"},
                                                                {TextEncoding::detected, "auto"},
                                                                {TextEncoding::latin1, "latin-1"},
                                                                {TextEncoding::cp1252, "cp1252"}};
[[nodiscard]] constexpr bool is_utf8(TextEncoding encoding) {
  return encoding == TextEncoding::utf8 || encoding == TextEncoding::detected;
}

enum class BadBytes {
  replace,  ///< by U+FFFD, and counted
  refuse,
};
inline constexpr EnumName<BadBytes> kBadBytesNames[] = {{BadBytes::replace, "replace"}, {BadBytes::refuse, "error"}};

[[nodiscard]] bool is_ascii(std::string_view bytes);
[[nodiscard]] constexpr bool is_ascii_digit(char character) { return character >= '0' && character <= '9'; }
[[nodiscard]] constexpr bool is_ascii_capital(char character) { return character >= 'A' && character <= 'Z'; }
[[nodiscard]] constexpr bool is_ascii_letter(char character) {
  return (character >= 'a' && character <= 'z') || is_ascii_capital(character);
}
[[nodiscard]] constexpr bool is_ascii_blank(char character) { return character == ' ' || character == '\t'; }

/// True if decoding would change nothing: the bytes are valid UTF-8 and mean the same in `encoding`.
[[nodiscard]] bool is_decoded(std::string_view bytes, TextEncoding encoding);

/// The position of the first byte that is part of no character; the size if there is none.
[[nodiscard]] std::size_t valid_utf8_prefix(std::string_view bytes);

/// Appends the bytes with U+FFFD for each broken character; returns how many bytes were replaced.
std::int64_t append_replaced(std::string_view bytes, PaddedText& out);

void append_latin1(std::string_view bytes, PaddedText& out);

/// The position of the first byte that is no character of Windows-1252; the size if there is none.
[[nodiscard]] std::size_t valid_cp1252_prefix(std::string_view bytes);

/// Appends the text of the bytes, with U+FFFD for each byte that is no character; returns how many bytes were
/// replaced.
std::int64_t append_cp1252(std::string_view bytes, PaddedText& out);

/// Decodes one piece of text after the other. Thread safety: one thread at a time.
class TextDecoder {
 public:
  /// `whole` is checked once: if it needs no decoding, neither does any text in it, and none is checked again.
  /// Requires: each text is cut from `whole` beside ASCII characters.
  TextDecoder(std::string_view whole, TextEncoding encoding, BadBytes bad_bytes)
      : encoding_(encoding), bad_bytes_(bad_bytes), all_decoded_(is_decoded(whole, encoding)) {}

  /// The decoded text: `text` itself if nothing changes, else in `scratch`. Nothing if the text has bad bytes and
  /// they are refused; `bad_at` then says where.
  [[nodiscard]] std::optional<std::string_view> decode(std::string_view text, PaddedText& scratch) {
    if (all_decoded_) return text;
    return decode_slowly(text, scratch);
  }

  /// The position of the first bad byte in the last text that was refused.
  [[nodiscard]] std::size_t bad_at() const { return bad_at_; }
  /// How many bytes became U+FFFD so far.
  [[nodiscard]] std::int64_t replaced() const { return replaced_; }

 private:
  [[nodiscard]] bool is_refused(std::string_view text);
  [[nodiscard]] std::optional<std::string_view> decode_slowly(std::string_view text, PaddedText& scratch);

  TextEncoding encoding_;
  BadBytes bad_bytes_;
  bool all_decoded_;
  std::size_t bad_at_ = 0;
  std::int64_t replaced_ = 0;
};

}  // namespace inkling
