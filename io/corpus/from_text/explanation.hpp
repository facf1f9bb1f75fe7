// What becomes of one text: its tokens, and the features and weights that it would have.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.hpp"
#include "io/corpus/from_text/text_recipe.hpp"

namespace inkling {

struct ExplainedToken {
  enum class Fate { kept, too_short, stop_word };

  std::string text;
  Fate fate = Fate::kept;
};

/// What a corpus knows of a term that is one of its features.
struct KnownTerm {
  FeatureId feature;
  std::int32_t document_frequency;
  double idf;
};

struct ExplainedTerm {
  std::string text;
  std::uint32_t count = 0;
  std::optional<KnownTerm> known;  ///< nothing if the corpus does not have it, or if there is no corpus
  float weight = 0.0F;             ///< 0 if there is a corpus and it does not have the term
};

struct Explanation {
  std::vector<ExplainedToken> tokens;  ///< in order
  std::vector<ExplainedTerm> terms;    ///< ascending
};

/// Looks a term up in a corpus. Empty if there is no corpus; then every idf is 1.
using TermLookup = std::function<std::optional<KnownTerm>(std::string_view term)>;

/// Requires: if there is a corpus, the recipe was made for it (recipe_for_corpus).
[[nodiscard]] Explanation explain_text(std::string_view text, const TextRecipe& recipe, const TermLookup& lookup);

}  // namespace inkling
