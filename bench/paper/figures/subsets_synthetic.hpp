// Whether some of the relevant words alone serve better at first than all words together.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure subsets_synthetic_figure();

}  // namespace inkling::bench
