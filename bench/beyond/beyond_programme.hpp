// The figures beyond the paper.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

/// All figures, in the order of the page. The text about each is in bench/report/templates/beyond/NAME.md.
[[nodiscard]] const Programme& beyond_programme();

[[nodiscard]] Figure searches_figure();
[[nodiscard]] Figure reviews_figure();
[[nodiscard]] Figure paper_worlds_figure();
[[nodiscard]] Figure beginnings_figure();
[[nodiscard]] Figure stopping_figure();
[[nodiscard]] Figure stopping_reviews_figure();

}  // namespace inkling::bench
