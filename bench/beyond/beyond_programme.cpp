#include "bench/beyond/beyond_programme.hpp"

namespace inkling::bench {
namespace {

std::span<const Figure> beyond_figures() { return {}; }

}  // namespace

const Programme& beyond_programme() {
  static const Programme programme = {
      .name = "beyond",
      .purpose = "Goes beyond the paper: marks that persuade, every policy beside them, and what each costs.",
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
