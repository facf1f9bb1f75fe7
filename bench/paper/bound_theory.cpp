#include "bench/paper/bound_theory.hpp"

#include <cassert>
#include <cmath>
#include <limits>

#include "engine/core/portable_math.hpp"

namespace inkling::bench {
namespace {

/// ln 1/(1 - p).
double log_discovery(double discovery) {
  if (discovery >= 1.0) return std::numeric_limits<double>::infinity();
  return -natural_log_plus_one(-discovery);
}

}  // namespace

RegretBound regret_bound(const BoundSetting& setting) {
  assert(setting.rounds >= 4.0 && setting.discovery > 0.0 && setting.discovery <= 1.0);
  const double rounds = setting.rounds;
  const double relevant = setting.relevant;
  const double ridge = setting.ridge;
  const auto [noise, norm, delta] = setting.confidence;
  const double epochs = natural_log(rounds / 2.0) / natural_log(2.0);  // M
  const double random_plays = natural_log(6.0 * epochs / delta);
  const double needed_plays = natural_log(3.0 * relevant / delta) / log_discovery(setting.discovery);
  const double sets =
      std::sqrt(ridge) * norm + noise * std::sqrt(2.0 * natural_log(3.0 * epochs / delta) +
                                                  relevant * natural_log(1.0 + rounds / (2.0 * ridge * relevant)));
  RegretBound bound;
  bound.finding = 8.0 * norm / random_plays * needed_plays * needed_plays;
  bound.exploring = epochs * 3.0 * norm * std::sqrt(rounds * random_plays);
  bound.optimism = 4.0 * epochs * std::sqrt(rounds / 2.0 * relevant * natural_log(ridge + rounds / relevant)) * sets;
  return bound;
}

double worst_regret(const BoundSetting& setting) { return 2.0 * setting.confidence.norm_bound * setting.rounds; }

std::optional<int> first_power_below_worst(BoundSetting setting) {
  for (int power = 2; power <= 60; ++power) {
    setting.rounds = std::ldexp(1.0, power);
    if (regret_bound(setting).total() < worst_regret(setting)) return power;
  }
  return std::nullopt;
}

Octaves octaves_of(const EntrantResult& result, int count) {
  Octaves octaves;
  const std::int64_t rounds = result.entrant.rounds;
  for (int n = count; n >= 1; --n) octaves.start.push_back(std::ldexp(static_cast<double>(rounds), -n));
  for (const TrialResult& trial : result.trials) {
    if (!trial.all_found_at || static_cast<double>(*trial.all_found_at) > octaves.start.front()) continue;
    std::vector<double>& regrets = octaves.by_trial.emplace_back();
    for (const double start : octaves.start)
      regrets.push_back(regret_until(trial, rounds, 2.0 * start) - regret_until(trial, rounds, start));
  }
  octaves.exponent = growth_exponent(octaves.start, octaves.by_trial);
  return octaves;
}

}  // namespace inkling::bench
