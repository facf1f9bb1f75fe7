// What part of the truth is worth before all of it is known: early regret on the unit sphere.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure pure_exploration_figure();

}  // namespace inkling::bench
