// The plain twin of tokenizer and text builder: it works code point by code point, with maps and doubles.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/from_text/text_recipe.hpp"
#include "io/corpus/text/padded_text.hpp"
#include "io/corpus/text/tokenizer.hpp"

namespace inkling::test {

/// Lower-cases the whole text at once, then cuts it character by character.
[[nodiscard]] std::vector<std::string> plain_tokens(std::string_view text, const TokenOptions& options);

/// What the tokenizer itself makes of the text.
[[nodiscard]] inline std::vector<std::string> tokens_of(std::string_view text, const TokenOptions& options = {}) {
  const PaddedText padded(text);
  std::vector<std::string> tokens;
  Tokenizer(options).for_each(padded.view(), [&](std::string_view token) { tokens.emplace_back(token); });
  return tokens;
}

/// How often a document holds each term.
using PlainCounts = std::map<std::string, int>;
[[nodiscard]] PlainCounts plain_counts(std::string_view text, const TextRecipe& recipe);

struct PlainMatrix {
  std::vector<std::string> terms;           // by feature, ascending
  std::vector<int> document_frequency;      // by feature
  std::vector<std::map<int, double>> rows;  // feature to weight, before rounding
};

/// The matrix of a whole build. If the recipe says so, runs of words that are no features count in the length of their row.
/// `titles` has the number of bytes of each document's title; if it is empty, no document has one.
[[nodiscard]] PlainMatrix plain_matrix(const std::vector<std::string>& documents, const TextRecipe& recipe,
                                       const std::vector<std::size_t>& titles = {});

}  // namespace inkling::test
