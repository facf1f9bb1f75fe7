// Numbers that several figures draw from trials besides the final regret.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bench/studies/study.hpp"

namespace inkling::bench {

/// Regret summed up to a round, on straight lines between the checkpoints of the trial's curve.
/// Requires: the trial had `rounds` rounds, and 0 <= until <= rounds.
[[nodiscard]] double regret_until(const TrialResult& trial, std::int64_t rounds, double until);

/// Requires: at least one value.
[[nodiscard]] double median(std::vector<double> values);

/// Final regrets, ascending.
[[nodiscard]] std::vector<double> sorted_regrets(const EntrantResult& result);

/// Share of the trials in which all relevant features were marked by this round.
[[nodiscard]] Estimate found_all_by(const EntrantResult& result, std::int64_t round);

/// y = level + slope * x through the means over trials, which see the same x: each trial has a line of its
/// own, and the line through the means is the mean of the lines. Requires: by_trial as wide as x, two
/// different x.
struct StraightLine {
  Estimate level;
  Estimate slope;
};
[[nodiscard]] StraightLine mean_line(std::span<const double> x,
                                     const std::vector<std::vector<double>>& by_trial);

/// The exponent of the power law through the means over trials, its error by leaving out one trial at a time
/// (jackknife). Not finite where no such law can be fitted. Requires: by_trial as wide as x.
[[nodiscard]] Estimate growth_exponent(std::span<const double> x,
                                       const std::vector<std::vector<double>>& by_trial);

}  // namespace inkling::bench
