// The words that tell a topic's documents from the others: an oracle for pools without human marks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bench/worlds/synthetic_pool.hpp"
#include "engine/core/ids.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling::bench {

/// What the documents of a pool are about. Lifetime: lends its owner's memory.
struct PoolTopics {
  std::span<const std::int32_t> of_documents;  ///< by document; -1 where it is about none
  std::int32_t count = 0;
  /// What the simulated reader wants; nothing: a topic at random in each trial.
  std::optional<std::int32_t> wanted = {};
};

/// For each feature, its mean value in the topic's documents minus its mean in all others; with TF-IDF
/// weights, how much more the topic's documents are about that word. Documents without the word count as 0.
[[nodiscard]] std::vector<double> topic_weights(PoolView pool, std::span<const std::int32_t> topics,
                                                std::int32_t topic);

/// The features of largest positive weight within the band of document frequency, ascending; `most` of them,
/// or fewer where fewer are positive. Ties go to the lower feature.
[[nodiscard]] std::vector<FeatureId> topic_words(PoolView pool, std::span<const std::int32_t> topics,
                                                 std::int32_t topic, std::int32_t most, FrequencyBand band);

}  // namespace inkling::bench
