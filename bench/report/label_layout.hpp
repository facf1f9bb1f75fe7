// Finds places for labels that would like to stand where others stand too.
#pragma once

#include <span>
#include <vector>

namespace inkling {

/// A place for each label, in the order given: as near as can be to where it wants to stand (least squares),
/// at least `gap` apart, in the same order from low to high, all within low and high. Where they do not fit,
/// they start at low and go beyond high.
[[nodiscard]] std::vector<double> spread_labels(std::span<const double> wanted, double gap, double low,
                                                double high);

}  // namespace inkling
