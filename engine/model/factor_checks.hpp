// What every factor checks of its input and of its pivots, because the library beneath one of them does not.
#pragma once

#include <cmath>
#include <span>

#include "engine/sparse/restricted_rows.hpp"

namespace inkling {

/// Throws NumericalError unless the positions lie in [0, size), none occurs twice, and the values are finite.
void check_row(RestrictedRow x, std::int32_t size);

/// Throws NumericalError unless every entry is finite.
void check_dense(std::span<const double> b);

[[noreturn]] void throw_lost_definiteness(double pivot);

/// Throws NumericalError unless the pivot is positive and finite.
inline void check_pivot(double pivot) {
  if (!(pivot > 0.0) || !std::isfinite(pivot)) throw_lost_definiteness(pivot);
}

/// Throws NumericalError if a pivot is well below the ridge. V - ridge I is positive semidefinite, so no exact pivot is below it:
/// only rounding can make one so.
inline void check_pivot_holds_ridge(double pivot, double ridge) {
  if (!(pivot >= 0.5 * ridge)) throw_lost_definiteness(pivot);
}

}  // namespace inkling
