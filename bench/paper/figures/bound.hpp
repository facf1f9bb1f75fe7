// Measured regret beside what Theorem 2 promises, as the horizon and the number of relevant words grow.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure bound_figure();

}  // namespace inkling::bench
