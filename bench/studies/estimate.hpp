// A mean over trials, with how far chance may have moved it.
#pragma once

#include <span>

namespace inkling::bench {

struct Estimate {
  double mean = 0.0;
  double standard_error = 0.0;  ///< 0 for a single value
};

/// Requires: at least one value.
[[nodiscard]] Estimate estimate_of(std::span<const double> values);

}  // namespace inkling::bench
