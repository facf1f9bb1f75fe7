// The paper's figures as a programme.
#include <array>

#include "bench/studies/programme.hpp"
#include "bench/paper/figures/bound.hpp"
#include "bench/paper/figures/epoch.hpp"
#include "bench/paper/figures/exploration_probability.hpp"
#include "bench/paper/figures/full_dimension.hpp"
#include "bench/paper/figures/full_dimension_oful.hpp"
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
namespace {

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
                                 full_dimension_oful_figure(),
                                 exploration_probability_figure(),
                                 epoch_figure(),
                                 bound_figure(),
                                 noisy_marks_figure(),
                                 what_decides_figure(),
                                 sweep_figure()};
  return all;
}

}  // namespace

const Programme& paper_programme() {
  static const Programme programme = {
      .name = "paper",
      .purpose =
          "Makes the paper's figures again: curves, plots, and one page that says which of its claims "
          "hold.",
      .example = "inkling-bench paper sparse dense --quick --out paper",
      .title = "The figures of the paper, run again",
      .introduction =
          "What Linear Bandits with Feature Feedback shows in its figures, measured again. What "
          "the paper says of them stands here as claims, decided by numbers alone.",
      .trials = 100,
      .quick_trials = 20,
      .tuning_trials = 10,
      .quick_tuning_trials = 4,
      .figures = figures,
      .optional_figure = "sweep"};
  return programme;
}

}  // namespace inkling::bench
