// Pools for tests: given entry by entry, or random with every kind of unusual row.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/random_stream.hpp"
#include "engine/sparse/csr_matrix.hpp"

namespace inkling::test {

struct Entry {
  FeatureId feature;
  float value;
};
using RowOfEntries = std::vector<Entry>;

/// matrix_of(4, {{{0, 1.0F}, {2, 3.0F}}, {}}) is 2 x 4 with an empty second row.
[[nodiscard]] CsrMatrix matrix_of(std::int32_t columns, const std::vector<RowOfEntries>& rows);
[[nodiscard]] PoolMatrix pool_of(std::int32_t features, const std::vector<RowOfEntries>& documents);

struct RandomPoolOptions {
  std::int32_t documents = 10;
  std::int32_t features = 5;
  double density = 0.5;  ///< of each row that is not degenerate
  /// Some rows empty, some the same as an earlier one, some of one feature, some entries zero.
  bool degenerate = false;
  /// Values of 1e-3 to 1e3, either sign; otherwise of 0.5 to 1.5.
  bool wild_values = false;
};

[[nodiscard]] CsrMatrix random_matrix(const RandomPoolOptions& options, RandomStream& random);
[[nodiscard]] PoolMatrix random_pool(const RandomPoolOptions& options, RandomStream& random);

/// Uniform in [low, high].
[[nodiscard]] std::int32_t between(std::int32_t low, std::int32_t high, RandomStream& random);

/// 0 ... count - 1.
[[nodiscard]] std::vector<std::int32_t> all_up_to(std::int32_t count);

/// 0 ... count - 1 in random order.
[[nodiscard]] std::vector<std::int32_t> shuffled(std::int32_t count, RandomStream& random);

/// A random stream for each test (role) and case (trial).
[[nodiscard]] RandomStream stream_for(std::uint64_t seed, std::uint64_t trial = 0);

}  // namespace inkling::test
