// A fast study: three policies in small worlds.
#pragma once

#include <string>
#include <vector>

#include "bench/studies/study.hpp"
#include "tests/bench/worlds/worlds.hpp"

namespace inkling::test {}

namespace inkling::bench::test {

using namespace inkling::test;  // tests name helpers of both as test::

inline Study small_study(std::int64_t trials = 5) {
  return {.world = [](std::uint64_t trial) { return make_synthetic_world(small_world(), 7, trial); },
          .entrants = {short_entrant("oful", 40), short_entrant("ff-oful", 40), short_entrant("random", 40)},
          .trials = trials};
}

/// The result of an entrant with these regrets in its trials of four rounds, in which regret grows evenly.
inline EntrantResult played_with(const std::string& name, const std::vector<double>& regrets) {
  EntrantResult result{short_entrant("ff-oful", 4), {}};
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
