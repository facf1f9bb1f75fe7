// Soft marks in worlds that were not looked at when the rule was found.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure held_out_figure();

}  // namespace inkling::bench
