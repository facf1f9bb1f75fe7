// A view of one document: its features in ascending order and their values.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <span>

#include "engine/core/ids.hpp"
#include "engine/sparse/id_view.hpp"

namespace inkling {

/// Lifetime: lends what its matrix owns. Pass by value. Invariant: there are as many features as values. Features
/// ascend strictly and values are finite, unless the memory was written to after it was checked. Even then each feature
/// is a column of the matrix (`IdView`).
struct SparseRow {
  IdView features;
  std::span<const float> values;

  [[nodiscard]] std::size_t size() const noexcept { return features.size(); }
  [[nodiscard]] bool empty() const noexcept { return features.empty(); }
  /// Prefetches its first entries.
  void prefetch() const noexcept {
    __builtin_prefetch(features.unchecked().data());
    __builtin_prefetch(values.data());
  }
};

/// Sum of row_j * dense_j, in double, in order of the row. Requires: every feature of the row is <
/// dense.size().
[[nodiscard]] inline double dot(SparseRow row, std::span<const double> dense) noexcept {
  double sum = 0.0;
  for (std::size_t n = 0; n < row.size(); ++n) {
    assert(static_cast<std::size_t>(row.features[n]) < dense.size());
    sum += static_cast<double>(row.values[n]) * dense[static_cast<std::size_t>(row.features[n])];
  }
  return sum;
}

/// The same up to rounding, but faster: several sums that do not depend on one another.
[[nodiscard]] inline double dot_in_any_order(SparseRow row, std::span<const double> dense) noexcept {
  constexpr std::size_t side_by_side = 4;
  const IdView features = row.features;  // copies: so the compiler knows that nothing writes to them
  const float* const values = row.values.data();
  const double* const to = dense.data();
  const auto product = [&](std::size_t n) { return static_cast<double>(values[n]) * to[static_cast<std::size_t>(features[n])]; };
  std::array<double, side_by_side> sums = {};
  std::size_t n = 0;
  for (; n + side_by_side <= row.size(); n += side_by_side) {
    sums[0] += product(n);
    sums[1] += product(n + 1);
    sums[2] += product(n + 2);
    sums[3] += product(n + 3);
  }
  for (; n < row.size(); ++n) sums[0] += product(n);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// Sum of the products of two rows' shared features, in double, in ascending order.
[[nodiscard]] inline double dot(SparseRow left, SparseRow right) noexcept {
  double sum = 0.0;
  std::size_t l = 0;
  std::size_t r = 0;
  while (l < left.size() && r < right.size())
    if (left.features[l] < right.features[r])
      ++l;
    else if (right.features[r] < left.features[l])
      ++r;
    else
      sum += static_cast<double>(left.values[l++]) * static_cast<double>(right.values[r++]);
  return sum;
}

/// Sum of the squared values, in double.
[[nodiscard]] inline double squared_norm(SparseRow row) noexcept {
  double sum = 0.0;
  for (const float value : row.values) sum += static_cast<double>(value) * static_cast<double>(value);
  return sum;
}

/// The row's value at a feature, 0 where it has none. Binary search.
[[nodiscard]] inline double value_at(SparseRow row, FeatureId feature) noexcept {
  const auto found = std::lower_bound(row.features.begin(), row.features.end(), feature);
  if (found == row.features.end() || *found != feature) return 0.0;
  return static_cast<double>(row.values[static_cast<std::size_t>(found - row.features.begin())]);
}

}  // namespace inkling
