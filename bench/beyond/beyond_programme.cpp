#include "bench/beyond/beyond_programme.hpp"

#include <algorithm>
#include <iterator>

namespace inkling::bench {
namespace {

std::vector<Figure> make_beyond_figures() {
  std::vector<Figure> figures = {soft_marks_figure(), horizon_figure(), held_out_figure(), rule_figure()};
  std::ranges::move(one_parameter_figures(), std::back_inserter(figures));
  for (Figure (*figure)() : {text_newsgroups_figure, text_reviews_figure, coverage_figure,
                             decision_time_figure, which_to_use_figure}) {
    figures.push_back(figure());
  }
  return figures;
}

std::span<const Figure> beyond_figures() {
  static const std::vector<Figure> figures = make_beyond_figures();
  return figures;
}

}  // namespace

const Programme& beyond_programme() {
  static const Programme programme = {
      .name = "beyond",
      .purpose = "Goes beyond the paper: soft marks, other policies beside them, and what each costs.",
      .example = "inkling-bench beyond soft-marks horizon --quick --out beyond",
      .title = "Beyond the paper",
      .trials = 50,
      .quick_trials = 10,
      .tuning_trials = 10,
      .quick_tuning_trials = 3,
      .figures = beyond_figures};
  return programme;
}

}  // namespace inkling::bench
