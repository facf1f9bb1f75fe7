// The average of all documents of some pools.
#pragma once

#include "engine/policy/policy_options.hpp"
#include "io/pool/open/pool_set.hpp"

namespace inkling {

/// One pass over the rows, through bounded buffers where files are read; the same bits either way, and for one pool those
/// that the engine finds in it. It is empty where there are no documents.
[[nodiscard]] AverageDocument average_document(const PoolSet& pools);

}  // namespace inkling
