// CHOLMOD's factor against the dense one, operation by operation.
#pragma once

#include <cstdint>

#include "bench/speed/factor_workload.hpp"
#include "bench/speed/stopwatch.hpp"

namespace inkling::bench {

/// Median seconds of one call.
struct FactorTimes {
  double solve = 0.0;
  double update = 0.0;
  double birth = 0.0;
  double rebuild = 0.0;

  /// What learning one reward costs a factor.
  [[nodiscard]] double reward() const noexcept { return solve + update; }
};

struct FactorComparison {
  FactorTimes cholmod;
  FactorTimes dense;
  double fill = 0.0;         ///< share of the lower triangle that CHOLMOD stores; 1 where there is none
  double words_a_row = 0.0;  ///< relevant features of a row to learn, on average

  /// Above 1 where the dense factor learns a reward faster.
  [[nodiscard]] double reward_ratio() const noexcept { return cholmod.reward() / dense.reward(); }
};

/// Spends about the budget on each operation of each factor, or the time of one call where that is longer.
[[nodiscard]] FactorComparison compare_factors(const FactorWorkload& workload, Seconds budget);

}  // namespace inkling::bench
