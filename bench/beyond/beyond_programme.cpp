#include "bench/beyond/beyond_programme.hpp"

#include <array>

#include "bench/beyond/figures/coverage.hpp"
#include "bench/beyond/figures/decision_time.hpp"
#include "bench/beyond/figures/held_out.hpp"
#include "bench/beyond/figures/horizon.hpp"
#include "bench/beyond/figures/one_parameter.hpp"
#include "bench/beyond/figures/rule.hpp"
#include "bench/beyond/figures/soft_marks.hpp"
#include "bench/beyond/figures/text.hpp"
#include "bench/beyond/figures/which_to_use.hpp"

namespace inkling::bench {
namespace {

std::span<const Figure> figures() {
  static const std::array all = {
      soft_marks_figure(), horizon_figure(),          held_out_figure(),        rule_figure(),
      noise_figure(),      mark_probability_figure(), documents_figure(),       dimension_figure(),
      relevant_figure(),   irrelevant_marks_figure(), text_newsgroups_figure(), text_reviews_figure(),
      coverage_figure(),   decision_time_figure(),    which_to_use_figure()};
  return all;
}

}  // namespace

const Programme& beyond_programme() {
  static const Programme programme = {
      .name = "beyond",
      .purpose = "Goes beyond the paper: marks that persuade, every policy beside them, and what each costs.",
      .example = "inkling-bench beyond soft-marks horizon --quick --out beyond",
      .title = "Beyond the paper",
      .introduction =
          "Soft marks are optimism on all words, with a prior that marks and silence persuade and a radius "
          "that is narrower than that of a confidence ellipsoid. Here they stand beside FF-OFUL, OFUL at its "
          "best ridge and five other policies at their best settings. Much of the gain is due to the radius "
          "and not to the marks: “oful-narrow” has the same radius and ridge and sees no marks, so that "
          "every "
          "figure shows what marks add.",
      .trials = 50,
      .quick_trials = 10,
      .tuning_trials = 10,
      .quick_tuning_trials = 3,
      .figures = figures};
  return programme;
}

}  // namespace inkling::bench
