#include "io/corpus/from_text/explanation.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "io/base/file/utf8.hpp"
#include "io/corpus/from_text/counting_pass.hpp"
#include "io/corpus/from_text/document_counter.hpp"
#include "io/corpus/from_text/weighting_pass.hpp"
#include "io/corpus/text/padded_text.hpp"
#include "io/corpus/text/tokenizer.hpp"

namespace inkling {
namespace {

std::vector<ExplainedToken> explained_tokens(std::string_view text, const TextRecipe& recipe) {
  TokenOptions every_length = recipe.tokens;
  every_length.min_length = 1;
  std::vector<ExplainedToken> tokens;
  Tokenizer(every_length).for_each(text, [&](std::string_view token) {
    ExplainedToken::Fate fate = ExplainedToken::Fate::kept;
    if (std::cmp_less(utf8_count(token), recipe.tokens.min_length))
      fate = ExplainedToken::Fate::too_short;
    else if (std::ranges::binary_search(recipe.stop_words, token, std::less<>()))
      fate = ExplainedToken::Fate::stop_word;
    tokens.push_back({std::string(token), fate});
  });
  return tokens;
}

}  // namespace

Explanation explain_text(std::string_view text, const TextRecipe& recipe, const TermLookup& lookup) {
  const PaddedText padded(text);
  Explanation explanation;
  explanation.tokens = explained_tokens(padded.view(), recipe);

  TermTable table(recipe.stop_words);
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
  std::vector<TermCount> counted;
  for (const ExplainedTerm& term : explanation.terms) {
    const auto place = static_cast<FeatureId>(weighted.size());
    counted.push_back({static_cast<TermId>(place), term.count});
    const bool unknown = lookup && !term.known;
    const bool lengthens = kind_of_term(term.text) == TermKind::run && recipe.counts_other_runs();
    weighted.push_back(unknown ? WeightedTerm{.idf = lengthens ? recipe.idf_of_other_runs : 0.0}
                               : WeightedTerm{.feature = place, .idf = term.known ? term.known->idf : 1.0});
  }
  DocumentWeights weights(recipe, weighted);
  weights.weigh(counted);
  for (std::size_t n = 0; n < weights.features().size(); ++n)
    explanation.terms[static_cast<std::size_t>(weights.features()[n])].weight = weights.values()[n];
  return explanation;
}

}  // namespace inkling
