// Whether committing after a number of random rounds does better than Algorithm 2, whatever that number.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure two_stage_figure();

}  // namespace inkling::bench
