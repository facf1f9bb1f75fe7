// How fast something grows: the exponent of a power law through measured points.
#pragma once

#include <optional>
#include <span>

namespace inkling::bench {

/// y is proportional to x^exponent.
struct PowerLaw {
  double exponent = 0.0;
  std::optional<double> standard_error = {};  ///< nothing for two points
};

/// Least squares in the logarithms of both. Points that are not positive and finite are left out; nothing
/// where fewer than two different x are left. Requires: y as long as x.
[[nodiscard]] std::optional<PowerLaw> fit_power_law(std::span<const double> x, std::span<const double> y);

}  // namespace inkling::bench
