// Pools for tests: spelled out entry by entry, or random with every kind of awkward row.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/core/random_stream.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling::test {

/// The owner behind a PoolView: a matrix and its transpose.
class TestPool {
 public:
  explicit TestPool(CsrMatrix by_document)
      : by_document_(std::move(by_document)), by_feature_(transposed(by_document_.view())) {}

  [[nodiscard]] PoolView view() const& noexcept { return {by_document_.view(), by_feature_.view()}; }
  PoolView view() const&& = delete;

 private:
  CsrMatrix by_document_;
  CsrMatrix by_feature_;
};

struct Entry {
  FeatureId feature;
  float value;
};
using RowOfEntries = std::vector<Entry>;

/// matrix_of(4, {{{0, 1.0F}, {2, 3.0F}}, {}}) is 2 x 4 with an empty second row.
[[nodiscard]] CsrMatrix matrix_of(std::int32_t columns, const std::vector<RowOfEntries>& rows);
[[nodiscard]] TestPool pool_of(std::int32_t features, const std::vector<RowOfEntries>& documents);

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
[[nodiscard]] TestPool random_pool(const RandomPoolOptions& options, RandomStream& random);

/// Uniform in [low, high].
[[nodiscard]] std::int32_t between(std::int32_t low, std::int32_t high, RandomStream& random);

/// 0 ... count - 1 in random order.
[[nodiscard]] std::vector<std::int32_t> shuffled(std::int32_t count, RandomStream& random);

/// A stream of its own for each test (role) and case (trial).
[[nodiscard]] RandomStream stream_for(std::uint64_t seed, std::uint64_t trial = 0);

}  // namespace inkling::test
