// All policies side by side, and which to use when.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure which_to_use_figure();

}  // namespace inkling::bench
