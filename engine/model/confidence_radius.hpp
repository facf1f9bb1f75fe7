// How far the truth may lie from the estimate: the factor by which optimism multiplies the width.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/core/portable_math.hpp"
#include "engine/model/model_options.hpp"

namespace inkling {

/// R sqrt(ln det V - m ln lambda + 2 ln(1/delta)) + sqrt(lambda) S: f(.) of Algorithm 1, Theorem 2 of
/// Abbasi-Yadkori, Pal and Szepesvari (2011). `log_det_ratio` is ln det V - m ln lambda, which is never below
/// 0.
[[nodiscard]] inline double confidence_radius(double log_det_ratio, double ridge, const ConfidenceOptions& options) noexcept {
  const double spread = std::max(log_det_ratio, 0.0) - 2.0 * natural_log(options.delta);
  return options.noise * std::sqrt(spread) + std::sqrt(ridge) * options.norm_bound;
}

/// R sqrt(ln(t + 2)) after t plays: the width factor of a posterior that is believed. With a Gaussian prior of
/// precision R^2 / variance, R * width is the posterior's standard deviation. The largest of t draws lies about sqrt(2
/// ln t) standard deviations away; the square of this factor is half of that. It is not the radius of a confidence
/// ellipsoid.
[[nodiscard]] inline double posterior_radius(std::int64_t plays, const ConfidenceOptions& options) noexcept {
  return options.noise * std::sqrt(natural_log(static_cast<double>(plays) + 2.0));
}

}  // namespace inkling
