// What a reader says of a question, without knowing which documents are wanted.
#pragma once

#include <string>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling::bench {

/// For each sentence the features of the words that a search of this pool proposes, the most informative first. Throws what
/// Pool::open throws.
[[nodiscard]] std::vector<std::vector<FeatureId>> words_of_sentences(const std::string& pool,
                                                                     const std::vector<std::string>& sentences);

/// The words with the fewest documents first: those that a reader marks first. Requires: features of the pool.
[[nodiscard]] std::vector<FeatureId> rarest_first(PoolView pool, std::vector<FeatureId> words);

}  // namespace inkling::bench
