// The figures beyond the paper: soft marks, with other policies beside them.
#pragma once

#include <vector>

#include "bench/studies/programme.hpp"

namespace inkling::bench {

[[nodiscard]] const Programme& beyond_programme();

/// In the order of the page. The words about each are in bench/report/templates/beyond/NAME.md.
[[nodiscard]] Figure soft_marks_figure();
[[nodiscard]] Figure horizon_figure();
[[nodiscard]] Figure held_out_figure();
[[nodiscard]] Figure rule_figure();
/// One figure for each setting of a world that changes while all others stay.
[[nodiscard]] std::vector<Figure> one_parameter_figures();
[[nodiscard]] Figure text_newsgroups_figure();
[[nodiscard]] Figure text_reviews_figure();
[[nodiscard]] Figure coverage_figure();
[[nodiscard]] Figure decision_time_figure();
[[nodiscard]] Figure which_to_use_figure();

}  // namespace inkling::bench
