#include "io/search/simulation/topic_words.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>

#include "engine/core/portable_math.hpp"

namespace inkling {
namespace {

/// In how many documents of a topic and of the rest each word is, and how many documents these are.
struct TopicCounts {
  std::vector<double> topic;  // by feature
  std::vector<double> rest;   // by feature
  double of_topic = 0.0;
  double of_rest = 0.0;
};

TopicCounts counts_by_topic(PoolView pool, std::span<const std::int32_t> topics, std::int32_t topic) {
  const auto features = static_cast<std::size_t>(pool.features());
  TopicCounts counts{std::vector<double>(features, 0.0), std::vector<double>(features, 0.0)};
  for (DocumentId i = 0; i < pool.documents(); ++i) {
    const bool of_topic = topics[static_cast<std::size_t>(i)] == topic;
    std::vector<double>& seen = of_topic ? counts.topic : counts.rest;
    for (const FeatureId feature : pool.by_document.row(i).features) seen[static_cast<std::size_t>(feature)] += 1.0;
    (of_topic ? counts.of_topic : counts.of_rest) += 1.0;
  }
  return counts;
}

struct Odds {
  double logarithm;
  double variance;
};

Odds odds_of(double with, double without) { return {natural_log(with / without), 1.0 / with + 1.0 / without}; }

/// Log-odds over their standard error; the prior counts as extra documents in which the word is as frequent as in the whole pool.
double weight_of(double in_topic, double in_rest, const TopicCounts& all) {
  constexpr double prior_documents = 10.0;
  const double share = (in_topic + in_rest) / (all.of_topic + all.of_rest);
  if (in_topic <= 0.0 || share >= 1.0) return 0.0;
  const double with = prior_documents * share;
  const double without = prior_documents - with;
  const Odds topic = odds_of(in_topic + with, all.of_topic - in_topic + without);
  const Odds rest = odds_of(in_rest + with, all.of_rest - in_rest + without);
  return (topic.logarithm - rest.logarithm) / std::sqrt(topic.variance + rest.variance);
}

}  // namespace

std::vector<double> topic_weights(PoolView pool, std::span<const std::int32_t> topics, std::int32_t topic) {
  assert(topics.size() == static_cast<std::size_t>(pool.documents()));
  const TopicCounts counts = counts_by_topic(pool, topics, topic);
  std::vector<double> weights(counts.topic.size(), 0.0);
  if (counts.of_topic <= 0.0 || counts.of_rest <= 0.0) return weights;
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = weight_of(counts.topic[j], counts.rest[j], counts);
  return weights;
}

std::vector<FeatureId> telling_words(PoolView pool, std::span<const std::int32_t> topics, std::int32_t topic, std::int32_t most,
                                     FrequencyBand band) {
  const std::vector<double> weights = topic_weights(pool, topics, topic);
  const auto weight = [&](FeatureId feature) { return weights[static_cast<std::size_t>(feature)]; };
  const auto heaviest_first = [&](FeatureId feature) { return std::pair(-weight(feature), feature); };
  std::vector<FeatureId> words = features_within(pool, band);
  std::erase_if(words, [&](FeatureId feature) { return weight(feature) <= 0.0; });
  const std::size_t kept = std::min(static_cast<std::size_t>(most), words.size());
  std::ranges::partial_sort(words, words.begin() + static_cast<std::ptrdiff_t>(kept), {}, heaviest_first);
  words.resize(kept);
  return words;
}

std::vector<FeatureId> topic_words(PoolView pool, std::span<const std::int32_t> topics, std::int32_t topic, std::int32_t most,
                                   FrequencyBand band) {
  std::vector<FeatureId> words = telling_words(pool, topics, topic, most, band);
  std::ranges::sort(words);
  return words;
}

}  // namespace inkling
