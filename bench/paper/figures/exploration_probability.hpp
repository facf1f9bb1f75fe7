// How often Algorithm 2 and its epoch variant play at random: arithmetic alone.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure exploration_probability_figure();

}  // namespace inkling::bench
