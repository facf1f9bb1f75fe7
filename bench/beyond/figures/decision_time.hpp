// How long each policy takes to choose and learn.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure decision_time_figure();

}  // namespace inkling::bench
