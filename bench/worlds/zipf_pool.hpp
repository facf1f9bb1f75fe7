// Pools of any size that look like text weighted by TF-IDF, made on the fly.
#pragma once

#include <cstdint>

#include "engine/sparse/pool_matrix.hpp"

namespace inkling::bench {

/// Words are drawn independently, the word of rank r with probability proportional to r^-zipf; lengths are
/// lognormal.
struct ZipfPoolOptions {
  std::int32_t documents = 4868;
  std::int32_t features = 47'757;
  double zipf = 1.07;
  double mean_tokens = 150.0;  ///< before lengths are cut to 10 ... 3000
  double length_sigma = 0.6;   ///< of the logarithm of a length
  std::uint64_t seed = 1;
};

/// Rows are tf * (ln((1 + n) / (1 + df)) + 1) at unit length; feature j is the word of rank j + 1. The first
/// documents of a larger pool have the same words as a smaller one, and other weights only because idf
/// differs. The same bits on every machine and at any number of threads; uses all there are.
/// Requires: documents >= 1, features >= 1, zipf >= 0, mean_tokens > 0.
[[nodiscard]] PoolMatrix make_zipf_pool(const ZipfPoolOptions& options);

/// What the engine reads of a pool: the arrays of both layouts.
[[nodiscard]] std::uint64_t bytes_of(PoolView pool);

}  // namespace inkling::bench
