// Soft marks where the paper has marks: the headline, decided by ratios.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure soft_marks_figure();

}  // namespace inkling::bench
