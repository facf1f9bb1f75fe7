// When to play at random: pure arithmetic on the round's number, with no learner in it.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace inkling {

/// The time of a choice, in rounds.
struct RoundClock {
  /// 1 in the first round.
  std::int64_t round;
  /// t of Algorithm 2: 1 in the round after the first mark, 0 until then. With features given from the start, t is the
  /// round.
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
  [[nodiscard]] double probability(RoundClock clock) const noexcept {
    const auto t = static_cast<std::uint64_t>(clock.since_first_mark);
    switch (kind) {
      case Kind::always: return 1.0;
      case Kind::never: return 0.0;
      case Kind::inverse_sqrt: return t == 0 ? 1.0 : 1.0 / std::sqrt(static_cast<double>(t));
      case Kind::epochs:
        // bit_floor(t) = 2^s with s = floor(log2 t): epoch s is the rounds 2^s ... 2^(s+1) - 1.
        return t == 0 ? 1.0 : std::min(1.0, epoch_constant / std::sqrt(static_cast<double>(std::bit_floor(t))));
      case Kind::first_rounds: return clock.round <= first_rounds ? 1.0 : 0.0;
    }
    return 1.0;
  }
};

}  // namespace inkling
