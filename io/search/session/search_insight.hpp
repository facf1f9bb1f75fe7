// What a search has learned, in words: why a document is shown, and what its words are worth.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/policy/policy_moment.hpp"
#include "io/search/session/search_tally.hpp"
#include "io/search/session/searcher.hpp"

namespace inkling {

/// After these ratings of words. Requires: a document of the pool.
[[nodiscard]] Why why_of(const Policy& policy, PoolView pool, DocumentId document, const WordsSaid& said_of);

/// Those in use or rated, the largest weight in size first; at most `count`.
[[nodiscard]] std::vector<LearnedWord> learned_words(const Policy& policy, const WordsSaid& said_of,
                                                     std::size_t count);

}  // namespace inkling
