// One thread for fuzz targets, because waking others takes longer than all the work for a small input.
#pragma once

#include <tbb/global_control.h>

namespace inkling::fuzz {

/// From now on until the program ends.
inline void use_one_thread() { static const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1); }

}  // namespace inkling::fuzz
