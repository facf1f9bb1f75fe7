// Which rewards count as wanted, for rivals that know only documents that are wanted and documents that are
// not.
#pragma once

#include <algorithm>
#include <limits>

namespace inkling::bench {

/// The one place that turns rewards into labels. A reward above the middle between the lowest and the highest
/// reward seen so far counts as wanted; as long as all rewards were the same, a reward above 0. So of rewards
/// -1 and +1 the wanted ones are above 0, of rewards 0 and 1 above 0.5, and of one to five stars above 3.
class WantedRule {
 public:
  void observe(double reward) noexcept {
    lowest_ = std::min(lowest_, reward);
    highest_ = std::max(highest_, reward);
  }

  [[nodiscard]] double middle() const noexcept { return lowest_ < highest_ ? lowest_ + 0.5 * (highest_ - lowest_) : 0.0; }

  [[nodiscard]] bool is_wanted(double reward) const noexcept { return reward > middle(); }

 private:
  double lowest_ = std::numeric_limits<double>::infinity();
  double highest_ = -std::numeric_limits<double>::infinity();
};

}  // namespace inkling::bench
