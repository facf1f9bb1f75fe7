// The average of all documents of some pools.
#pragma once

#include "engine/scoring/survey/average_document.hpp"
#include "io/corpus/pool/open/pool_set.hpp"

namespace inkling {

/// Makes one pass over the pools: over the values by feature if files are mapped, or over the rows, through bounded buffers, if
/// they are read. Both have the bits of the engine's `average_document`. That of one mapped pool is its survey's. The average of
/// no documents is empty.
[[nodiscard]] AverageDocument average_document(const PoolSet& pools);

}  // namespace inkling
