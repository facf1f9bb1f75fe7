#include "engine/model/confidence_radius.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/portable_math.hpp"

namespace inkling {

double confidence_radius(double log_det_ratio, double ridge, const ConfidenceOptions& options) noexcept {
  const double spread = std::max(log_det_ratio, 0.0) - 2.0 * natural_log(options.delta);
  return options.noise * std::sqrt(spread) + std::sqrt(ridge) * options.norm_bound;
}

double posterior_radius(std::int64_t plays, const ConfidenceOptions& options) noexcept {
  return options.noise * std::sqrt(natural_log(static_cast<double>(plays) + 2.0));
}

}  // namespace inkling
