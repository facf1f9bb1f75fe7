// When to play at random: pure arithmetic on the round's number, with no learner in it.
#pragma once

#include <cstdint>

namespace inkling {

/// Where a policy stands when it is about to choose.
struct RoundClock {
  /// 1 in the first round.
  std::int64_t round;
  /// t of Algorithm 2: 1 in the round after the first mark, 0 until then. With features given from the start
  /// there is nothing to wait for, and t is the round.
  std::int64_t since_first_mark;
};

struct ExplorationSchedule {
  enum class Kind {
    always,        ///< every round
    never,         ///< no round
    inverse_sqrt,  ///< 1/sqrt(t): Algorithm 2
    epochs,        ///< min(1, c/sqrt(2^s)) throughout epoch s, of 2^s rounds: the appendix's epoch variant
    first_rounds,  ///< the first T0 rounds, then never: explore-then-commit
  };

  Kind kind = Kind::never;
  double epoch_constant = 1.0;    ///< c > 0
  std::int64_t first_rounds = 0;  ///< T0 >= 0

  /// The probability of a random play. Kinds that count from the first mark give 1 until then.
  [[nodiscard]] double probability(RoundClock clock) const noexcept;
};

}  // namespace inkling
