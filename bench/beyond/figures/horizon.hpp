// Soft marks from the first rounds to thousands of them.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure horizon_figure();

}  // namespace inkling::bench
