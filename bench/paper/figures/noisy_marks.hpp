// What it costs that people mark words which do not matter.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure noisy_marks_figure();

}  // namespace inkling::bench
