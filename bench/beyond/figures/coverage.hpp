// Which policies keep what their confidence promises.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure coverage_figure();

}  // namespace inkling::bench
