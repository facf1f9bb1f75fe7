// The average of all documents of some pools.
#pragma once

#include <functional>

#include "engine/policy/policy_options.hpp"
#include "io/corpus/pool/open/pool_set.hpp"

namespace inkling {

/// Makes one pass over the pools: over the values by feature if files are mapped, or over the rows, through bounded buffers, if
/// they are read. Both have the bits of the engine's `average_document`. The average of no documents is empty.
[[nodiscard]] AverageDocument average_document(const PoolSet& pools);

/// The same of one mapped pool. It is read from the file beside the record that the pool was checked; if there is none, it is
/// computed and kept there. `between` is called as by the engine.
[[nodiscard]] AverageDocument average_document(
    const Pool& pool, const std::function<void()>& between = [] {});

}  // namespace inkling
