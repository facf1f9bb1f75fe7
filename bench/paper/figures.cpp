// The table of all figures, in the paper's order.
#include <array>

#include "bench/paper/figure.hpp"
#include "bench/paper/figures/bound.hpp"
#include "bench/paper/figures/epoch.hpp"
#include "bench/paper/figures/exploration_probability.hpp"
#include "bench/paper/figures/full_dimension.hpp"
#include "bench/paper/figures/human.hpp"
#include "bench/paper/figures/newsgroups_oracle.hpp"
#include "bench/paper/figures/noisy_marks.hpp"
#include "bench/paper/figures/pure_exploration.hpp"
#include "bench/paper/figures/sparse_dense.hpp"
#include "bench/paper/figures/subsets_synthetic.hpp"
#include "bench/paper/figures/subsets_text.hpp"
#include "bench/paper/figures/sweep.hpp"
#include "bench/paper/figures/two_stage.hpp"
#include "bench/paper/figures/what_decides.hpp"

namespace inkling::bench {

std::span<const Figure> figures() {
  static const std::array all = {two_stage_figure(),
                                 pure_exploration_figure(),
                                 subsets_synthetic_figure(),
                                 subsets_text_figure(),
                                 sparse_figure(),
                                 dense_figure(),
                                 newsgroups_replacement_figure(),
                                 newsgroups_no_replacement_figure(),
                                 human_figure(),
                                 ridge_sensitivity_figure(),
                                 full_dimension_figure(),
                                 exploration_probability_figure(),
                                 epoch_figure(),
                                 bound_figure(),
                                 noisy_marks_figure(),
                                 what_decides_figure(),
                                 sweep_figure()};
  return all;
}

}  // namespace inkling::bench
