// What each part of the soft-marks rule does, and how much of its gain is the radius alone.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure rule_figure();

}  // namespace inkling::bench
