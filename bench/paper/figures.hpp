// The paper's figures, each made by its own function.
#pragma once

#include "bench/studies/figure.hpp"

namespace inkling::bench {

/// All of them, in the paper's order.
[[nodiscard]] const Programme& paper_programme();

[[nodiscard]] Figure two_stage_figure();
[[nodiscard]] Figure pure_exploration_figure();
[[nodiscard]] Figure subsets_synthetic_figure();
[[nodiscard]] Figure subsets_text_figure();
[[nodiscard]] Figure sparse_figure();
[[nodiscard]] Figure dense_figure();
[[nodiscard]] Figure newsgroups_replacement_figure();
[[nodiscard]] Figure newsgroups_no_replacement_figure();
[[nodiscard]] Figure human_figure();
[[nodiscard]] Figure ridge_sensitivity_figure();
[[nodiscard]] Figure full_dimension_figure();
[[nodiscard]] Figure full_dimension_oful_figure();
[[nodiscard]] Figure exploration_probability_figure();
[[nodiscard]] Figure epoch_figure();
[[nodiscard]] Figure bound_figure();
[[nodiscard]] Figure noisy_marks_figure();

/// The c of the epoch variant with which the proof of Theorem 2 works: √(2 ln(2/δ)).
[[nodiscard]] double epoch_constant_of_proof(double delta);

}  // namespace inkling::bench
