// Cuts a text into pieces, so that a screen can show which of them are words of the pool.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/core/ids.hpp"
#include "io/corpus/from_text/text_recipe.hpp"
#include "io/corpus/pool/open/pool.hpp"

namespace inkling {

/// A feature of two or more words. Between its words there may be spaces, signs, stop words and words that are too short.
struct TextPhrase {
  FeatureId feature = 0;
  std::size_t runs = 0;  ///< the number of runs from its first word to its last, both included

  bool operator==(const TextPhrase&) const = default;
};

/// A piece of a text. Lifetime: lends the text.
struct TextRun {
  std::string_view piece;
  std::optional<FeatureId> feature = {};  ///< where the piece is a word that is a feature
  std::vector<TextPhrase> phrases = {};   ///< those that begin with this word, the shortest first

  bool operator==(const TextRun&) const = default;
};

/// The runs of a text in order; their pieces joined are the text, byte for byte. Each feature is found as often as
/// `inkling build` counts it in this text. A text without features is one run, as is any text if the pool was not made from
/// text; an empty text has no runs. Bytes that are not UTF-8 belong to no word. Lifetime: the runs lend the text. Thread
/// safety: pure.
[[nodiscard]] std::vector<TextRun> text_runs(std::string_view text, const Pool& pool);

/// The same with the pool's recipe and its features already looked up, for many texts of one pool.
using TermFeature = std::function<std::optional<FeatureId>(std::string_view term)>;
[[nodiscard]] std::vector<TextRun> text_runs(std::string_view text, const TextRecipe& recipe, const TermFeature& feature_of);

}  // namespace inkling
