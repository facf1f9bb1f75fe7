// Small worlds for tests of the simulator.
#pragma once

#include "bench/rivals/rival_presets.hpp"
#include "bench/studies/trial.hpp"
#include "bench/worlds/world.hpp"

namespace inkling::test {}

namespace inkling::bench::test {

using namespace inkling::test;  // tests name helpers of both as test::

/// 60 documents over 12 words, 3 of which matter and are often marked.
inline WorldOptions small_world() {
  WorldOptions options;
  options.pool = {60, 12, 5, 0.0};
  options.relevant = 3;
  options.mark_probability = 0.5;
  return options;
}

inline TrialOptions short_trial(std::int64_t rounds) {
  TrialOptions options;
  options.rounds = rounds;
  options.seed = 7;
  return options;
}

inline Contestant contestant(std::string_view name) { return {*find_any_preset(name)}; }

}  // namespace inkling::bench::test
