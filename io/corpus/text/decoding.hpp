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
  latin1,  ///< each byte is the character of that number
  cp1252,  ///< Windows-1252: as latin1, but for 27 characters in 0x80 to 0x9F, where 5 bytes are no character
};
inline constexpr EnumName<TextEncoding> kTextEncodingNames[] = {
    {TextEncoding::utf8, "utf-8"}, {TextEncoding::latin1, "latin-1"}, {TextEncoding::cp1252, "cp1252"}};

enum class BadBytes {
  replace,  ///< by U+FFFD, and counted
  refuse,
};
inline constexpr EnumName<BadBytes> kBadBytesNames[] = {{BadBytes::replace, "replace"},
                                                        {BadBytes::refuse, "error"}};

[[nodiscard]] bool is_ascii(std::string_view bytes);

/// True where the bytes are valid UTF-8 that means what they mean in `encoding`: nothing is left to decode.
[[nodiscard]] bool is_decoded(std::string_view bytes, TextEncoding encoding);

/// Where the first byte stands that is part of no character; the size where there is none.
[[nodiscard]] std::size_t valid_utf8_prefix(std::string_view bytes);

/// Appends the bytes with U+FFFD for each broken character; returns how many bytes were replaced.
std::int64_t append_replaced(std::string_view bytes, PaddedText& out);

void append_latin1(std::string_view bytes, PaddedText& out);

/// Where the first byte stands that is no character of Windows-1252; the size where there is none.
[[nodiscard]] std::size_t valid_cp1252_prefix(std::string_view bytes);

/// Appends the bytes with U+FFFD for each that is no character; returns how many those were.
std::int64_t append_cp1252(std::string_view bytes, PaddedText& out);

/// Decodes one piece of text after the other. Thread safety: one thread at a time.
class TextDecoder {
 public:
  /// What all text comes from, so that nothing is looked at twice where `whole` is decoded as it is.
  /// Requires: each text is cut from `whole` beside ASCII characters.
  TextDecoder(std::string_view whole, TextEncoding encoding, BadBytes bad_bytes)
      : encoding_(encoding), bad_bytes_(bad_bytes), all_decoded_(is_decoded(whole, encoding)) {}

  /// The text itself or, where it changes, in `scratch`; nothing where bad bytes are refused, see `bad_at`.
  [[nodiscard]] std::optional<std::string_view> decode(std::string_view text, PaddedText& scratch) {
    if (all_decoded_) return text;
    return decode_slowly(text, scratch);
  }

  /// Where in the text that was refused last its first bad byte stands.
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
