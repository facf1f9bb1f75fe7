#include "bench/beyond/beyond_programme.hpp"

namespace inkling::bench {

const Programme& beyond_programme() {
  static const Figure figures[] = {searches_figure(),   reviews_figure(),  paper_worlds_figure(),
                                   beginnings_figure(), stopping_figure(), stopping_reviews_figure()};
  static const Programme programme = {.name = "beyond",
                                      .purpose = "Compares searches by the policy inkling with what people use.",
                                      .example = "inkling-bench beyond searches reviews --quick --out beyond",
                                      .title = "Beyond the paper",
                                      .trials = 50,
                                      .quick_trials = 10,
                                      .tuning_trials = 10,
                                      .quick_tuning_trials = 3,
                                      .figures = [] { return std::span<const Figure>(figures); },
                                      .compares_searches = true};
  return programme;
}

}  // namespace inkling::bench
