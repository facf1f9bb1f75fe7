#include "bench/paper/figures.hpp"

#include <array>

namespace inkling::bench {
namespace {

std::span<const Figure> paper_figures() {
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
                                 noisy_marks_figure()};
  return all;
}

}  // namespace

const Programme& paper_programme() {
  static const Programme programme = {.name = "paper",
                                      .purpose =
                                          "Makes the paper's figures again. It writes curves, plots and one "
                                          "page that says which of the paper's claims hold.",
                                      .example = "inkling-bench paper sparse dense --quick --out paper",
                                      .title = "The figures of the paper, run again",
                                      .figures = paper_figures};
  return programme;
}

}  // namespace inkling::bench
