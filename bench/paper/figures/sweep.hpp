// How much hangs on what the paper leaves open.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure sweep_figure();

}  // namespace inkling::bench
