// The two kinds of number that name things in a pool.
#pragma once

#include <cstdint>

namespace inkling {

/// A row of the pool, counted from 0.
using DocumentId = std::int32_t;

/// A column of the pool, counted from 0.
using FeatureId = std::int32_t;

}  // namespace inkling
