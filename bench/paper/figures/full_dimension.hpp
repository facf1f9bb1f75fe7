// FF-OFUL in all dimensions of 20 Newsgroups beside 500 of them.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure full_dimension_figure();

}  // namespace inkling::bench
