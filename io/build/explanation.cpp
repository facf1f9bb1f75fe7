#include "io/build/explanation.hpp"

#include <algorithm>
#include <span>

#include "io/build/term_counts.hpp"
#include "io/build/term_table.hpp"
#include "io/build/weighting_pass.hpp"
#include "io/text/padded_text.hpp"
#include "io/text/tokenizer.hpp"

namespace inkling {
namespace {

std::int64_t characters_of(std::string_view text) {
  return std::ranges::count_if(text,
                               [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; });
}

std::vector<ExplainedToken> explained_tokens(std::string_view text, const TextRecipe& recipe) {
  TokenOptions every_length = recipe.tokens;
  every_length.min_length = 1;
  std::vector<ExplainedToken> tokens;
  Tokenizer(every_length).for_each(text, [&](std::string_view token) {
    ExplainedToken::Fate fate = ExplainedToken::Fate::kept;
    if (characters_of(token) < recipe.tokens.min_length) {
      fate = ExplainedToken::Fate::too_short;
    } else if (std::ranges::binary_search(recipe.stop_words, token, std::less<>())) {
      fate = ExplainedToken::Fate::stop_word;
    }
    tokens.push_back({std::string(token), fate});
  });
  return tokens;
}

}  // namespace

Explanation explain_text(std::string_view text, const TextRecipe& recipe, const TermLookup& lookup) {
  const PaddedText padded(text);
  Explanation explanation;
  explanation.tokens = explained_tokens(padded.view(), recipe);

  TermTable table(DocumentCounter::ignored_terms(recipe));
  DocumentCounter counter(table, recipe);
  const std::span<const TermCount> counts = counter.count(padded.view());
  for (const TermTable::Term& term : table.sorted()) {
    ExplainedTerm explained;
    explained.text = term.text;
    explained.count = std::ranges::find(counts, term.id, &TermCount::term)->count;
    if (lookup) explained.known = lookup(term.text);
    explanation.terms.push_back(std::move(explained));
  }

  // The same arithmetic as a build, with this text as the only document.
  std::vector<WeightedTerm> weighted;
  for (const ExplainedTerm& term : explanation.terms) {
    const auto place = static_cast<FeatureId>(weighted.size());
    if (term.known) {
      weighted.push_back({place, term.known->idf});
    } else {
      weighted.push_back(lookup ? WeightedTerm{} : WeightedTerm{place, 1.0});
    }
  }
  std::vector<TermCount> places;
  places.reserve(explanation.terms.size());
  for (const ExplainedTerm& term : explanation.terms)
    places.push_back({static_cast<TermId>(places.size()), term.count});
  std::vector<BlockEntry> entries;
  DocumentWeights(recipe, weighted).append(places, 0, entries);
  for (const BlockEntry& entry : entries)
    explanation.terms[static_cast<std::size_t>(entry.feature)].weight = entry.value;
  return explanation;
}

}  // namespace inkling
