// What a search has learned, in words: why a document is shown, what its words are worth, how far it has come.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/policy/policy.hpp"
#include "io/session/search_history.hpp"
#include "io/session/searcher.hpp"

namespace inkling {

/// After these steps. Requires: a document of the pool.
[[nodiscard]] Why why_of(const Policy& policy, PoolView pool, DocumentId document,
                         std::span<const SearchStep> steps);

/// Those in use or rated in these steps, the largest weight in size first; at most `count`.
[[nodiscard]] std::vector<LearnedWord> learned_words(const Policy& policy, std::span<const SearchStep> steps,
                                                     std::size_t count);

/// All but `waiting`, which the history does not know.
[[nodiscard]] SearchProgress progress_of(const SearchHistory& history, std::int64_t documents);

}  // namespace inkling
