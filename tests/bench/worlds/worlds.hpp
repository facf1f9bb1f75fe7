// Small worlds for tests of the simulator.
#pragma once

#include "bench/rivals/rival_presets.hpp"
#include "io/search/simulation/trial.hpp"
#include "io/search/simulation/world.hpp"

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

inline Entrant short_entrant(const Preset& preset, std::int64_t rounds) {
  return {.name = std::string(preset.name), .preset = preset, .rounds = rounds, .seed = 7};
}

inline Entrant short_entrant(std::string_view name, std::int64_t rounds) { return short_entrant(*find_any_preset(name), rounds); }

}  // namespace inkling::bench::test
