// Which features a policy learns on.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/ids.hpp"

namespace inkling {

struct FeatureScope {
  enum class Kind {
    none,                    ///< the policy learns nothing
    all,                     ///< every feature, from the start: Algorithm 1
    marked,                  ///< every feature marked so far: Algorithm 2
    marked_in_first_rounds,  ///< those marked by the end of round T0: explore-then-commit
    given,                   ///< a list, from the start: the early-regret section
  };

  Kind kind = Kind::none;
  std::int64_t first_rounds = 0;  ///< T0 >= 0
  std::vector<FeatureId> given = {};

  /// The features in use before the first round, of a pool of `features`.
  /// Throws FormatError on a given feature that is out of range or named twice.
  [[nodiscard]] std::vector<FeatureId> at_start(std::int32_t features) const;

  /// Whether a feature marked in this round comes into use.
  [[nodiscard]] bool accepts_mark(std::int64_t round) const noexcept {
    return kind == Kind::marked || (kind == Kind::marked_in_first_rounds && round <= first_rounds);
  }
};

}  // namespace inkling
