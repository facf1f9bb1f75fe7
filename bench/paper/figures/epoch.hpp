// Algorithm 2 beside the appendix's variant of it, which explores by epochs.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure epoch_figure();

/// c = sqrt(2 ln(2/delta1)), which the proof of Theorem 2 takes.
[[nodiscard]] double epoch_constant_of_proof(double delta);

}  // namespace inkling::bench
