// A pool with only some of its features: the 500 or 1,000 dimensions in which the paper can afford OFUL.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/csr_view.hpp"
#include "engine/sparse/pool_matrix.hpp"

namespace inkling::bench {

enum class RowLength {
  as_it_was,  ///< what is left of a row of unit length is shorter
  unit,       ///< scaled to length 1; empty rows stay empty
};

/// Feature n of the reduced pool is feature `kept[n]` of the whole one.
struct ReducedPool {
  PoolMatrix matrix;
  std::vector<FeatureId> kept;  ///< ascending

  /// Those of the whole pool's features that are kept, by their number in this one, ascending. Requires:
  /// ascending.
  [[nodiscard]] std::vector<FeatureId> reduced(std::span<const FeatureId> features) const;

  /// Other rows over the whole pool's features, such as marks by document, over this one's. Values stay.
  [[nodiscard]] CsrMatrix reduced(CsrView rows) const;
};

/// Requires: `kept` ascends, each once, within the pool.
[[nodiscard]] ReducedPool reduced_pool(PoolView whole, std::vector<FeatureId> kept, RowLength length);

/// The wanted features and others at random, `count` in all, ascending. Requires: wanted.size() <= count <=
/// whole.features(), `wanted` ascends.
[[nodiscard]] std::vector<FeatureId> with_others_at_random(PoolView whole, std::span<const FeatureId> wanted,
                                                           std::int32_t count, RandomStream& random);

}  // namespace inkling::bench
