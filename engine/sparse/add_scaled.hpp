// Adds a row, scaled, to a dense array: the innermost loop of a search.
#pragma once

#include <cstddef>
#include <span>

#include "engine/sparse/sparse_row.hpp"

namespace inkling {

/// to_j += row_j * by, with two roundings to a Number. Requires: every feature of the row is < to.size().
template <typename Number>
void add_scaled(std::span<Number> to, SparseRow row, Number by) noexcept {
  const IdView features = row.features;  // copies: so the compiler knows that nothing writes to them
  const float* const values = row.values.data();
  Number* const sums = to.data();
  const auto add = [&](std::size_t n) { sums[static_cast<std::size_t>(features[n])] += static_cast<Number>(values[n]) * by; };
  constexpr std::size_t together = 4;  // unrolled, so that these share the cost of the loop itself
  std::size_t n = 0;
  for (; n + together <= features.size(); n += together) {
    add(n);
    add(n + 1);
    add(n + 2);
    add(n + 3);
  }
  for (; n < features.size(); ++n) add(n);
}

}  // namespace inkling
