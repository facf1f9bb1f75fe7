// Cuts text into tokens, which are lower-cased words: 64 bytes at a time if the text is ASCII, else by the rules of
// Unicode.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/enum_names.hpp"
#include "io/corpus/text/set_bits.hpp"

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

/// Only characters of this version of Unicode can be part of a word, whatever version of ICU is installed, so that a
/// pool comes out the same everywhere.
inline constexpr std::string_view kUnicodeVersion = "14.0";

/// A letter or a number (general categories L and N) or the underscore; what \w matches in Python.
/// Thread safety: any thread.
[[nodiscard]] bool is_word_character(char32_t character);

/// Appends the text in lower case by the full mapping, the final sigma included. Requires: well-formed UTF-8.
/// Thread safety: any thread, each with its own output.
void append_lower_case(std::string& out, std::string_view text);

enum class TokenRule {
  words,       ///< letters, numbers and underscores of any script (\w of Python)
  letters,     ///< the letters a to z
  dictionary,  ///< as `words`, and in scripts without blanks the words of dictionaries (`word_breaks`), with their marks
};
inline constexpr EnumName<TokenRule> kTokenRuleNames[] = {
    {TokenRule::words, "words"}, {TokenRule::letters, "letters"}, {TokenRule::dictionary, "dictionary"}};

/// Whether a token of the rule may hold the character. Requires: `words` or `dictionary`. Thread safety: any thread.
[[nodiscard]] bool is_word_character(char32_t character, TokenRule rule);

enum class LetterCase { lower, keep };

/// What becomes of letters with accents, as scikit-learn's strip_accents.
enum class Accents {
  keep,
  unicode,  ///< compatible characters take their place (NFKD), and marks that combine are left out: "é" is "e", "ﬁ" is "fi"
  ascii,    ///< and so are all characters beyond ASCII
};
inline constexpr EnumName<Accents> kAccentsNames[] = {
    {Accents::keep, "keep"}, {Accents::unicode, "unicode"}, {Accents::ascii, "ascii"}};

/// Appends the text without accents. A zero width space, which separates words, stays. Requires: well-formed UTF-8.
/// Thread safety: any thread, each with its own output.
void append_without_accents(std::string& out, std::string_view text, Accents accents);

struct TokenOptions {
  TokenRule rule = TokenRule::words;
  std::int32_t min_length = 2;  ///< in characters; shorter tokens are left out
  LetterCase letter_case = LetterCase::lower;
  Accents accents = Accents::keep;

  bool operator==(const TokenOptions&) const = default;
};

/// A token is a longest run of the rule's characters in the lower-cased text without its accents; `dictionary` ends it at each word break, too.
/// Thread safety: one thread at a time; memory is kept from text to text.
class Tokenizer {
 public:
  explicit Tokenizer(TokenOptions options) : options_(options) {}

  /// Calls visit(token) in order; tokens are padded (`kTextPadding`) views, valid until the next text.
  /// Requires: well-formed UTF-8, padded.
  template <typename Visit>
  void for_each(std::string_view text, Visit&& visit) {
    for_each_group(text, [&visit](std::span<const std::string_view> tokens) {
      for (const std::string_view token : tokens) visit(token);
    });
  }

  /// Calls visit(tokens) in the same order with several tokens at a time.
  template <typename Visit>
  void for_each_group(std::string_view text, Visit&& visit) {
    prepare(text);
    open_token_ = nullptr;
    for (std::size_t block = 0; block < blocks_; block += blocks_of_group) visit(tokens_of_group(block));
  }

 private:
  static constexpr std::size_t blocks_of_group = 32;

  /// Writes the text in its letter case to prepared_, and to word_bytes_ one bit for each byte: whether it is part of
  /// a word. A zero follows the last bit, so that the last token ends too.
  void prepare(std::string_view text);
  void prepare_unicode(std::string_view text);
  void mark_unicode_words();
  /// The tokens that end in the group of blocks that begins with this one. Requires: called for all groups before it,
  /// in order.
  [[nodiscard]] std::span<const std::string_view> tokens_of_group(std::size_t first_block);
  [[nodiscard]] bool is_long_enough(std::string_view token) const;

  TokenOptions options_;
  std::string separated_;  // the text with an invisible character at each word break
  std::string unaccented_;
  std::string prepared_;
  std::size_t length_ = 0;  // of the text within prepared_, which is padded
  std::vector<std::uint64_t> word_bytes_;
  std::size_t blocks_ = 0;
  bool ascii_ = true;
  const char* open_token_ = nullptr;  // the begin of a token that did not end in the group before
  // Of a group: begins and ends of tokens, by turns, counted from its first byte; and the tokens.
  std::array<std::uint16_t, blocks_of_group * 64 + kRoomForSetBits> edges_{};
  std::array<std::string_view, blocks_of_group * 32 + 1> tokens_{};
};

}  // namespace inkling
