// A text cut into pieces, so that a screen knows which letters are which word of the pool.
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

/// A feature of two or more words. Between its words stands what is no word of its own: spaces, signs, stop words and
/// words that are too short.
struct TextPhrase {
  FeatureId feature = 0;
  std::size_t runs = 0;  ///< how many runs it takes up from its first word to its last, with all between

  bool operator==(const TextPhrase&) const = default;
};

/// A piece of a text. Lifetime: lends the text.
struct TextRun {
  std::string_view piece;
  std::optional<FeatureId> feature = {};  ///< where the piece is a word that is a feature
  std::vector<TextPhrase> phrases = {};   ///< those that begin with this word, the shortest first

  bool operator==(const TextRun&) const = default;
};

/// The runs of a text in order; their pieces joined are the text, byte for byte. A feature is found as often as
/// `inkling build` counts it in this text; a text without any, and any text for a pool that was not made from text, is
/// one run. No text has no run.
/// Bytes that are no UTF-8 are part of no word. Lifetime: the runs lend the text. Thread safety: pure.
[[nodiscard]] std::vector<TextRun> text_runs(std::string_view text, const Pool& pool);

/// The same with what a pool knows, for many texts of one pool.
using TermFeature = std::function<std::optional<FeatureId>(std::string_view term)>;
[[nodiscard]] std::vector<TextRun> text_runs(std::string_view text, const TextRecipe& recipe,
                                             const TermFeature& feature_of);

}  // namespace inkling
