// Vectors of documents for tests, and the same documents with their vectors as words.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/random_stream.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/whole_row.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling::test {

struct Vectors {
  std::int32_t dimensions = 0;
  std::vector<std::int8_t> codes = {};
  std::vector<float> scales = {};

  /// The pool with these vectors; without any if there are no dimensions.
  [[nodiscard]] PoolView with(PoolView pool) const {
    if (dimensions > 0) pool.by_document = pool.by_document.with({dimensions, codes, scales});
    return pool;
  }
};

/// Of any codes; one in five documents has none.
inline Vectors random_vectors(std::int32_t documents, std::int32_t dimensions, RandomStream& random) {
  Vectors vectors = {.dimensions = dimensions};
  for (std::int32_t i = 0; i < documents; ++i) {
    const bool has_none = random.coin(0.2);
    for (std::int32_t k = 0; k < dimensions; ++k)
      vectors.codes.push_back(has_none ? std::int8_t{0} : static_cast<std::int8_t>(between(-128, 127, random)));
    vectors.scales.push_back(has_none ? 0.0F : static_cast<float>(0.02 * random.uniform()));
  }
  return vectors;
}

/// The same documents, with a feature for each number of a vector after the words.
inline PoolMatrix whole_pool(PoolView pool) {
  const std::int32_t columns = pool.features() + pool.by_document.vectors().dimensions;
  CsrMatrix matrix(columns);
  WholeRow whole;
  for (DocumentId i = 0; i < pool.documents(); ++i) matrix.append_row(whole.of(pool.by_document, i, columns));
  return PoolMatrix(std::move(matrix));
}

}  // namespace inkling::test
