// Cuts text into tokens: lower-cased words, 64 bytes at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/enum_names.hpp"

namespace inkling {

enum class TokenRule {
  words,    ///< letters, numbers and underscores of any script (\w of Python)
  letters,  ///< the letters a to z
};
inline constexpr EnumName<TokenRule> kTokenRuleNames[] = {{TokenRule::words, "words"},
                                                          {TokenRule::letters, "letters"}};

enum class LetterCase { lower, keep };

struct TokenOptions {
  TokenRule rule = TokenRule::words;
  std::int32_t min_length = 2;  ///< in characters; shorter tokens are left out
  LetterCase letter_case = LetterCase::lower;

  bool operator==(const TokenOptions&) const = default;
};

/// A token is a longest run of the rule's characters in the lower-cased text.
/// Thread safety: one thread at a time; memory is kept from text to text.
class Tokenizer {
 public:
  explicit Tokenizer(TokenOptions options) : options_(options) {}

  /// Calls visit(token) in order; tokens are padded (`kTextPadding`) views, valid until the next call.
  /// Requires: well-formed UTF-8, padded.
  template <typename Visit>
  void for_each(std::string_view text, Visit&& visit) {
    prepare(text);
    const auto least = static_cast<std::size_t>(options_.min_length);
    std::uint64_t carry = 0;  // whether the last byte of the block before is within a token
    std::size_t begin = 0;
    for (std::size_t block = 0; block < blocks_; ++block) {
      const std::uint64_t word = word_bytes_[block];
      std::uint64_t edges = word ^ ((word << 1U) | carry);
      carry = word >> 63U;
      while (edges != 0) {
        const auto bit = static_cast<unsigned>(std::countr_zero(edges));
        const std::size_t at = block * 64 + bit;
        edges &= edges - 1;
        if (((word >> bit) & 1U) != 0) {
          begin = at;
        } else if (at - begin >= least) {
          const std::string_view token(prepared_.data() + begin, at - begin);
          if (ascii_ || is_long_enough(token)) visit(token);
        }
      }
    }
  }

 private:
  /// The text in its letter case into prepared_, and one bit for each byte of it that is part of a word. The
  /// bits end in a zero, so that the last token ends too.
  void prepare(std::string_view text);
  void prepare_unicode(std::string_view text);
  void mark_unicode_words();
  [[nodiscard]] bool is_long_enough(std::string_view token) const;

  TokenOptions options_;
  std::string prepared_;
  std::size_t length_ = 0;  // of the text within prepared_, which is padded
  std::vector<std::uint64_t> word_bytes_;
  std::size_t blocks_ = 0;
  bool ascii_ = true;
};

}  // namespace inkling
