// OFUL in all words of 20 Newsgroups: the baseline that the paper could not run.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure full_dimension_oful_figure();

}  // namespace inkling::bench
