// The words that distinguish a topic from all others, which a simulated reader who wants the topic marks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/sparse/csr_view.hpp"
#include "io/search/simulation/synthetic_pool.hpp"

namespace inkling {

/// For each feature, how surely it is in more of the topic's documents than of the others: the difference of the two
/// log-odds, with a prior from the whole pool, over its standard error (after Monroe, Colaresi and Quinn 2008). A stop
/// word is near 0: it is as frequent elsewhere. Zero for a word that none of the topic's documents holds or that all
/// documents hold, and for all if the topic has no documents or all of them.
[[nodiscard]] std::vector<double> topic_weights(PoolView pool, std::span<const std::int32_t> topics, std::int32_t topic);

/// The features of largest positive weight within the band of document frequency, the most discriminating first; `most` of them,
/// or fewer if fewer are positive. Ties go to the lower feature.
[[nodiscard]] std::vector<FeatureId> telling_words(PoolView pool, std::span<const std::int32_t> topics, std::int32_t topic,
                                                   std::int32_t most, FrequencyBand band = {});

/// The same, ascending.
[[nodiscard]] std::vector<FeatureId> topic_words(PoolView pool, std::span<const std::int32_t> topics, std::int32_t topic,
                                                 std::int32_t most, FrequencyBand band);

}  // namespace inkling
