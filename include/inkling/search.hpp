// Inkling for C++: searches of a pool that are kept in a file, as `inkling search` and `inkling serve` keep them.
#pragma once

#include <inkling/pool.hpp>

#include "io/search/library/search.hpp"
