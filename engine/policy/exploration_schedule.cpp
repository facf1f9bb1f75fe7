#include "engine/policy/exploration_schedule.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace inkling {

double ExplorationSchedule::probability(RoundClock clock) const noexcept {
  const auto t = static_cast<std::uint64_t>(clock.since_first_mark);
  switch (kind) {
    case Kind::always:
      return 1.0;
    case Kind::never:
      return 0.0;
    case Kind::inverse_sqrt:
      return t == 0 ? 1.0 : 1.0 / std::sqrt(static_cast<double>(t));
    case Kind::epochs:
      // bit_floor(t) = 2^s with s = floor(log2 t): epoch s is the rounds 2^s ... 2^(s+1) - 1.
      return t == 0 ? 1.0 : std::min(1.0, epoch_constant / std::sqrt(static_cast<double>(std::bit_floor(t))));
    case Kind::first_rounds:
      return clock.round <= first_rounds ? 1.0 : 0.0;
  }
  return 1.0;
}

}  // namespace inkling
