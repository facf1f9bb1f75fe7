// The average of all documents of some pools.
#pragma once

#include "engine/policy/policy_options.hpp"
#include "io/corpus/pool/open/pool_set.hpp"

namespace inkling {

/// One pass over the values by feature where files are mapped, and over the rows, through bounded buffers, where they are
/// read; the same bits either way, those of the engine. It is empty where there are no documents.
[[nodiscard]] AverageDocument average_document(const PoolSet& pools);

}  // namespace inkling
