// Where the tokens of a text stand in the text itself.
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
/// Places ascend, do not overlap, and begin and end between characters. The piece of a text at a place is one token by
/// itself, and the same one, unless it holds a capital sigma, whose lower case depends on what stands around the piece, or the
/// rule is `dictionary`, which may cut a word that stands alone once more.
/// Requires: well-formed UTF-8. Thread safety: pure.
[[nodiscard]] std::vector<TokenPlace> locate_tokens(std::string_view text, const TokenOptions& options);

}  // namespace inkling
