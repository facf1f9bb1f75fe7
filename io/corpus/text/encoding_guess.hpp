// Finds out how a text is encoded, and turns text in any encoding that ICU has into UTF-8.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct UConverter;

namespace inkling {

/// The name of the encoding of a text that begins with these bytes, as ICU has it; empty for UTF-8, also if it has some bad
/// bytes. It is the one in which the words that are not ASCII are the most likely ones; a word that could be in several is in
/// Windows-1252, or in `usual`, which the text's neighbours are in. A character may be cut at the end. Thread safety: pure.
[[nodiscard]] std::string guessed_encoding(std::string_view bytes, std::string_view usual = {});

/// Whether the bytes are more than ASCII, or may be with those that follow.
[[nodiscard]] bool tells_encoding(std::string_view bytes);

/// Whether so many bytes are more than ASCII that those which follow would hardly change the guess.
[[nodiscard]] bool tells_enough(std::string_view bytes);

/// The name that ICU has for an encoding ("Shift_JIS" for "sjis"); empty if it has none.
[[nodiscard]] std::string known_encoding(const std::string& name);

/// Turns a text that comes in pieces into UTF-8. Thread safety: one thread at a time.
class EncodingConverter {
 public:
  /// Requires: a name that is known.
  explicit EncodingConverter(const std::string& name);
  ~EncodingConverter();
  EncodingConverter(const EncodingConverter&) = delete;
  EncodingConverter& operator=(const EncodingConverter&) = delete;

  /// `is_last`: no more bytes come.
  void append(std::string_view bytes, bool is_last, std::string& out);
  /// How many bytes were no characters and became U+FFFD so far.
  [[nodiscard]] std::int64_t replaced() const { return replaced_; }

 private:
  struct Pivot;
  UConverter* from_ = nullptr;
  UConverter* to_ = nullptr;
  std::unique_ptr<Pivot> pivot_;
  std::int64_t replaced_ = 0;
};

}  // namespace inkling
