#include "io/build/feature_selection.hpp"

#include <algorithm>
#include <cstddef>

namespace inkling {
namespace {

using Terms = std::vector<TermTable::Term>;

// Of terms in order, the `most` that occur most often, in order; among equals the first ones.
Terms most_frequent(const Terms& terms, std::int64_t most, const std::vector<std::uint64_t>& occurrences) {
  std::vector<std::size_t> ranked(terms.size());
  for (std::size_t n = 0; n < ranked.size(); ++n) ranked[n] = n;
  const auto more_frequent = [&](std::size_t left, std::size_t right) {
    const std::uint64_t left_count = occurrences[terms[left].id];
    const std::uint64_t right_count = occurrences[terms[right].id];
    return left_count != right_count ? left_count > right_count : left < right;
  };
  std::ranges::nth_element(ranked, ranked.begin() + most, more_frequent);
  ranked.resize(static_cast<std::size_t>(most));
  std::ranges::sort(ranked);
  Terms kept;
  kept.reserve(ranked.size());
  for (const std::size_t n : ranked) kept.push_back(terms[n]);
  return kept;
}

}  // namespace

FeatureSelection select_features(std::span<const TermTable::Term> sorted,
                                 std::span<const std::uint32_t> frequency, std::int64_t documents,
                                 const TextRecipe& recipe, const OccurrenceCounts& occurrences) {
  FeatureSelection selection;
  Terms kept;
  kept.reserve(sorted.size());
  for (const TermTable::Term& term : sorted) {
    const auto count = static_cast<double>(frequency[term.id]);
    if (count > recipe.max_documents.documents(documents)) {
      ++selection.dropped.too_frequent;
    } else if (count < recipe.min_documents.documents(documents)) {
      ++selection.dropped.too_rare;
    } else {
      kept.push_back(term);
    }
  }
  if (recipe.max_features && static_cast<std::int64_t>(kept.size()) > *recipe.max_features) {
    selection.dropped.beyond_most = static_cast<std::int64_t>(kept.size()) - *recipe.max_features;
    kept = most_frequent(kept, *recipe.max_features, occurrences());
  }
  selection.feature_of_term.assign(frequency.size(), FeatureSelection::none);
  for (const TermTable::Term& term : kept) {
    selection.feature_of_term[term.id] = static_cast<FeatureId>(selection.terms.size());
    selection.terms.push_back(term.text);
    selection.document_frequency.push_back(static_cast<std::int32_t>(frequency[term.id]));
  }
  return selection;
}

}  // namespace inkling
