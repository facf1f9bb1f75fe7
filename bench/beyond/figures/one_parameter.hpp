// Regret of all policies against one parameter of the synthetic worlds at a time.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure noise_figure();
[[nodiscard]] Figure mark_probability_figure();
[[nodiscard]] Figure documents_figure();
[[nodiscard]] Figure dimension_figure();
[[nodiscard]] Figure relevant_figure();
[[nodiscard]] Figure irrelevant_marks_figure();

}  // namespace inkling::bench
