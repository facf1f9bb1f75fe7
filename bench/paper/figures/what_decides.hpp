// On what it depends whether marks help: noise, how readily people mark, the pool, and how many words matter.
#pragma once

#include <optional>
#include <span>

#include "bench/studies/figure.hpp"

namespace inkling::bench {

[[nodiscard]] Figure what_decides_figure();

/// The x at which the line through the points first crosses 1, straight in ln x; nothing where it does not. A
/// point at 0 has no logarithm and is left out. Requires: x ascending from 0 on, y as long as x.
[[nodiscard]] std::optional<double> crossing_of_one(std::span<const double> x, std::span<const double> y);

}  // namespace inkling::bench
