#include "io/commands/pool_facts.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "io/pool/open/pool.hpp"

namespace inkling {
namespace {

std::string term_of(const Pool& pool, FeatureId feature) {
  if (!pool.vocabulary()) return "#" + std::to_string(feature);
  return std::string((*pool.vocabulary())[feature]);
}

// The places of the `most` greatest scores, greatest first; of equal scores the first.
template <typename Score>
std::vector<std::size_t> greatest(const std::vector<Score>& scores, std::size_t most) {
  std::vector<std::size_t> places(scores.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const std::size_t kept = std::min(most, places.size());
  const auto greater = [&scores](std::size_t left, std::size_t right) {
    return scores[left] != scores[right] ? scores[left] > scores[right] : left < right;
  };
  std::ranges::partial_sort(places, places.begin() + static_cast<std::ptrdiff_t>(kept), greater);
  places.resize(kept);
  return places;
}

PoolFacts::Lengths lengths_of(CsrView matrix) {
  PoolFacts::Lengths lengths;
  std::vector<std::int64_t> all;
  all.reserve(static_cast<std::size_t>(matrix.rows()));
  for (DocumentId i = 0; i < matrix.rows(); ++i)
    all.push_back(static_cast<std::int64_t>(matrix.row(i).size()));
  if (all.empty()) return lengths;
  lengths.empty = std::ranges::count(all, 0);
  lengths.mean = static_cast<double>(matrix.nonzeros()) / static_cast<double>(all.size());
  const auto [least, most] = std::ranges::minmax(all);
  lengths.least = least;
  lengths.most = most;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::ranges::nth_element(all, middle);
  lengths.median = *middle;
  return lengths;
}

// The mean weight of each feature in documents of the label, minus its mean weight in all others.
std::vector<std::string> words_of(const Pool& pool, std::int32_t label, std::int64_t documents,
                                  std::size_t most, const std::vector<double>& totals) {
  std::vector<double> within(totals.size(), 0.0);
  const CsrView matrix = pool.view().by_document;
  for (DocumentId i = 0; i < matrix.rows(); ++i) {
    if (pool.labels()[static_cast<std::size_t>(i)] != label) continue;
    const SparseRow row = matrix.row(i);
    for (std::size_t n = 0; n < row.size(); ++n)
      within[static_cast<std::size_t>(row.features[n])] += static_cast<double>(row.values[n]);
  }
  const auto inside = static_cast<double>(documents);
  const double outside = std::max(1.0, static_cast<double>(matrix.rows()) - inside);
  for (std::size_t j = 0; j < within.size(); ++j)
    within[j] = within[j] / inside - (totals[j] - within[j]) / outside;
  std::vector<std::string> words;
  for (const std::size_t j : greatest(within, most))
    if (within[j] > 0.0) words.push_back(term_of(pool, static_cast<FeatureId>(j)));
  return words;
}

void add_topics(PoolFacts& facts, const Pool& pool, std::size_t most_topics, std::size_t most_terms) {
  std::vector<std::int64_t> documents(pool.label_names().size(), 0);
  for (const std::int32_t label : pool.labels()) {
    if (label < 0) {
      ++facts.unlabelled;
    } else {
      ++documents[static_cast<std::size_t>(label)];
    }
  }
  std::vector<double> totals(static_cast<std::size_t>(pool.view().features()), 0.0);
  const CsrView matrix = pool.view().by_document;
  for (std::size_t n = 0; n < matrix.values().size(); ++n)
    totals[static_cast<std::size_t>(matrix.features()[n])] += static_cast<double>(matrix.values()[n]);
  for (const std::size_t label : greatest(documents, most_topics)) {
    facts.topics.push_back(
        {{pool.label_names()[label], documents[label]},
         words_of(pool, static_cast<std::int32_t>(label), documents[label], most_terms, totals)});
  }
}

}  // namespace

PoolFacts pool_facts(const Pool& pool, std::size_t most_topics, std::size_t most_terms) {
  PoolFacts facts;
  facts.bytes = pool_bytes(pool.path());
  facts.lengths = lengths_of(pool.view().by_document);
  if (!pool.label_names().empty()) add_topics(facts, pool, most_topics, most_terms);
  std::vector<std::int64_t> frequency;
  for (FeatureId j = 0; j < pool.view().features(); ++j)
    frequency.push_back(static_cast<std::int64_t>(pool.view().by_feature.row(j).size()));
  for (const std::size_t j : greatest(frequency, most_terms))
    facts.frequent_terms.push_back({term_of(pool, static_cast<FeatureId>(j)), frequency[j]});
  return facts;
}

}  // namespace inkling
