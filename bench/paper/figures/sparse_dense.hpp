// The main comparison on synthetic data: few of the words matter, or all of them.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure sparse_figure();
[[nodiscard]] Figure dense_figure();

}  // namespace inkling::bench
