#include "bench/paper/octave_growth.hpp"

#include <cmath>

#include "bench/studies/trial_measures.hpp"

namespace inkling::bench {

Octaves octaves_of(const EntrantResult& result, int count) {
  Octaves octaves;
  const std::int64_t rounds = result.entrant.options.rounds;
  for (int n = count; n >= 1; --n) {
    octaves.start.push_back(std::ldexp(static_cast<double>(rounds), -n));
  }
  for (const TrialResult& trial : result.trials) {
    if (!trial.all_found_at || static_cast<double>(*trial.all_found_at) > octaves.start.front()) continue;
    std::vector<double>& regrets = octaves.by_trial.emplace_back();
    for (const double start : octaves.start) {
      regrets.push_back(regret_until(trial, rounds, 2.0 * start) - regret_until(trial, rounds, start));
    }
  }
  octaves.exponent = growth_exponent(octaves.start, octaves.by_trial);
  return octaves;
}

}  // namespace inkling::bench
