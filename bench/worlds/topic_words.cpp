#include "bench/worlds/topic_words.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace inkling::bench {

std::vector<double> topic_weights(PoolView pool, std::span<const std::int32_t> topics, std::int32_t topic) {
  assert(topics.size() == static_cast<std::size_t>(pool.documents()));
  const auto members = static_cast<double>(std::ranges::count(topics, topic));
  const double others = static_cast<double>(topics.size()) - members;
  const double of_member = members > 0.0 ? 1.0 / members : 0.0;
  const double of_other = others > 0.0 ? -1.0 / others : 0.0;
  std::vector<double> weights(static_cast<std::size_t>(pool.features()), 0.0);
  for (DocumentId i = 0; i < pool.documents(); ++i) {
    const SparseRow row = pool.by_document.row(i);
    const double share = topics[static_cast<std::size_t>(i)] == topic ? of_member : of_other;
    for (std::size_t n = 0; n < row.size(); ++n) {
      weights[static_cast<std::size_t>(row.features[n])] += share * static_cast<double>(row.values[n]);
    }
  }
  return weights;
}

std::vector<FeatureId> topic_words(PoolView pool, std::span<const std::int32_t> topics, std::int32_t topic,
                                   std::int32_t most, FrequencyBand band) {
  const std::vector<double> weights = topic_weights(pool, topics, topic);
  const auto weight = [&](FeatureId feature) { return weights[static_cast<std::size_t>(feature)]; };
  std::vector<FeatureId> words = features_within(pool, band);
  std::erase_if(words, [&](FeatureId feature) { return weight(feature) <= 0.0; });
  const auto heavier = [&](FeatureId left, FeatureId right) {
    return weight(left) != weight(right) ? weight(left) > weight(right) : left < right;
  };
  const std::size_t kept = std::min(static_cast<std::size_t>(most), words.size());
  std::ranges::nth_element(words, words.begin() + static_cast<std::ptrdiff_t>(kept), heavier);
  words.resize(kept);
  std::ranges::sort(words);
  return words;
}

}  // namespace inkling::bench
