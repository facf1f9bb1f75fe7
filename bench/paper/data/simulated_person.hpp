// A person who looks for one topic and marks words as readers of film reviews did, where nobody annotated.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/paper/data/movie_reviews.hpp"
#include "bench/worlds/mark_model.hpp"
#include "engine/core/ids.hpp"

namespace inkling::bench {

/// Of the words that a document holds, each deciding one is marked with probability `rates.hit` and each
/// other with `rates.false_mark`: one coin each time that a document is shown. False marks may fall on any
/// word, not on a few tempting ones, as in the reviews: people highlighted 11,582 of their 39,015 words
/// somewhere, and only 87 of those are the oracle's. So this person belongs in a reduced pool: in all
/// features of a large one, more words would soon be in use than a model holds. Requires: `deciding` ascends,
/// each once, within [0, features).
[[nodiscard]] MarkModel simulated_person(std::int32_t features, std::vector<FeatureId> deciding,
                                         const MarkingRates& rates);

}  // namespace inkling::bench
