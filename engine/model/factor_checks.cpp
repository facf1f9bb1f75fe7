#include "engine/model/factor_checks.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

bool has_duplicate(std::span<const std::int32_t> positions) {
  constexpr std::size_t few = 16;  // below this, comparing all pairs is cheaper than sorting a copy
  if (positions.size() <= few) {
    for (std::size_t n = 1; n < positions.size(); ++n)
      if (std::ranges::find(positions.first(n), positions[n]) != positions.begin() + static_cast<std::ptrdiff_t>(n)) return true;
    return false;
  }
  if (std::ranges::is_sorted(positions, std::ranges::less_equal{})) return false;
  std::vector<std::int32_t> sorted(positions.begin(), positions.end());
  std::ranges::sort(sorted);
  return std::ranges::adjacent_find(sorted) != sorted.end();
}

}  // namespace

void check_row(RestrictedRow x, std::int32_t size) {
  for (std::size_t n = 0; n < x.size(); ++n) {
    if (x.positions[n] < 0 || x.positions[n] >= size) {
      throw NumericalError("a row holds position " + std::to_string(x.positions[n]) + " of a factor of size " +
                           std::to_string(size));
    }
    if (!std::isfinite(x.values[n])) {
      throw NumericalError("a row holds " + number_text(x.values[n]) + " at position " + std::to_string(x.positions[n]) +
                           "; expected finite values");
    }
  }
  if (has_duplicate(x.positions)) throw NumericalError("a row holds a position twice");
}

void check_dense(std::span<const double> b) {
  for (const double entry : b)
    if (!std::isfinite(entry)) throw NumericalError("a right-hand side holds " + number_text(entry));
}

void throw_lost_definiteness(double pivot) {
  throw NumericalError("the gram is no longer positive definite: a pivot became " + number_text(pivot));
}

}  // namespace inkling
