#include "bench/worlds/question_words.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "io/corpus/pool/open/pool_set.hpp"
#include "io/search/score/event_scope.hpp"
#include "io/search/service/asked_words.hpp"

namespace inkling::bench {

std::vector<std::vector<FeatureId>> words_of_sentences(const std::string& pool, const std::vector<std::string>& sentences) {
  const PoolSet pools = PoolSet::open(std::span(&pool, 1), PoolAccess::map, PoolTrust::checksums);
  const EventScope scope = event_scope_of(pools);
  const Pool opened = Pool::open(pool);
  const ShownPool shown(opened, scope);
  std::vector<std::vector<FeatureId>> all;
  all.reserve(sentences.size());
  for (const std::string& sentence : sentences) {
    const std::vector<AskedWord> asked = asked_words(sentence, shown);
    std::vector<FeatureId>& words = all.emplace_back();
    for (const std::size_t at : proposed_words(asked, shown))
      if (asked[at].feature) words.push_back(*asked[at].feature);
  }
  return all;
}

std::vector<FeatureId> rarest_first(PoolView pool, std::vector<FeatureId> words) {
  std::ranges::stable_sort(words, {}, [&](FeatureId word) { return pool.by_feature.row(word).size(); });
  return words;
}

}  // namespace inkling::bench
