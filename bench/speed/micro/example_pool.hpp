// A pool as the paper's: 47,757 words, about 85 in a document, 100 of them relevant and about 5 of those in a
// document.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/sparse/csr_matrix.hpp"

namespace inkling::bench {

/// Lifetime: views lend the pool.
struct ExamplePool {
  CsrMatrix by_document;
  CsrMatrix by_feature;
  std::vector<FeatureId> relevant;  ///< each in 1 to 30 % of the documents, scattered over the vocabulary

  [[nodiscard]] PoolView view() const& noexcept { return {by_document.view(), by_feature.view()}; }
  PoolView view() const&& = delete;
};

/// The same pool for the same number of documents; made once, then kept for the life of the program.
[[nodiscard]] const ExamplePool& example_pool(std::int32_t documents);

}  // namespace inkling::bench
