// A fast study: three policies in small worlds, one of the policies tuned.
#pragma once

#include <string>
#include <vector>

#include "bench/studies/figure_parts.hpp"
#include "bench/studies/study.hpp"
#include "tests/bench/worlds/worlds.hpp"

namespace inkling::test {}

namespace inkling::bench::test {

using namespace inkling::test;  // tests name helpers of both as test::

inline Study small_study(std::int64_t trials = 5) {
  const PaperSettings settings{.trials = trials, .seed = 7};
  constexpr std::int64_t rounds = 40;
  const std::vector<double> ridges = {0.5, 2.0, 8.0};
  Entrant oful = tuned(entrant_of(settings, "oful", rounds, settings.noise), ridges);
  return {.name = "main",
          .world_settings = "small worlds",
          .world = [](std::uint64_t trial) { return make_synthetic_world(small_world(), 7, trial); },
          .features = 12,
          .entrants = {std::move(oful), entrant_of(settings, "ff-oful", rounds, settings.noise),
                       entrant_of(settings, "random", rounds, settings.noise)},
          .trials = trials,
          .tuning_trials = 3};
}

/// The result of an entrant with these regrets in its trials of four rounds, in which regret grows evenly.
inline EntrantResult played_with(const std::string& name, const std::vector<double>& regrets) {
  EntrantResult result{entrant_of({}, "ff-oful", 4, 0.5), std::nullopt, {}};
  result.entrant.name = name;
  for (const double regret : regrets) {
    TrialResult trial;
    trial.regret = regret;
    trial.curve = {regret / 4, regret / 2, regret * 3 / 4, regret};
    result.trials.push_back(trial);
  }
  return result;
}

}  // namespace inkling::bench::test
