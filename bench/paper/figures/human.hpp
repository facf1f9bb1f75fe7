// People's own marks in 500 dimensions, and what the ridge decides there.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure human_figure();
[[nodiscard]] Figure ridge_sensitivity_figure();

}  // namespace inkling::bench
