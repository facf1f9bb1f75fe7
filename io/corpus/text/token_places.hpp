// The positions of tokens in the original text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/text/tokenizer.hpp"

namespace inkling {

/// A token and the bytes of the original text that it was made of.
struct TokenPlace {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string token;  ///< as the tokenizer gives it: in its letter case

  bool operator==(const TokenPlace&) const = default;
};

/// The tokens of a text in order, by the same rules as `Tokenizer`, each with its place. It takes one character after
/// the other and is meant for the text on a screen, not for a corpus.
///
/// Places ascend, do not overlap, and begin and end between characters. Cut alone, the piece of text at a place gives
/// the same single token, with two exceptions: the lower case of a capital sigma depends on the text around the
/// piece, and the rule `dictionary` may cut a word that is alone into several. Of several tokens that a character becomes without
/// its accents ("½" is 1 and 2) only one is there. Requires: well-formed UTF-8.
/// Thread safety: pure.
[[nodiscard]] std::vector<TokenPlace> locate_tokens(std::string_view text, const TokenOptions& options);

}  // namespace inkling
