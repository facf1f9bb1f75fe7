// The average of all documents of some pools.
#pragma once

#include <functional>

#include "engine/policy/policy_options.hpp"
#include "io/corpus/pool/open/pool_set.hpp"

namespace inkling {

/// One pass over the values by feature where files are mapped, and over the rows, through bounded buffers, where they are
/// read; the same bits either way, those of the engine. It is empty where there are no documents.
[[nodiscard]] AverageDocument average_document(const PoolSet& pools);

/// The same of one mapped pool, from what was kept beside its record, or else from its values, and then it is kept.
/// `between` as the engine calls it.
[[nodiscard]] AverageDocument average_document(
    const Pool& pool, const std::function<void()>& between = [] {});

}  // namespace inkling
