// A view of one document: its features in ascending order and their values.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>

#include "engine/core/ids.hpp"

namespace inkling {

/// Lifetime: lends what its matrix owns. Pass by value.
/// Invariants: features ascend strictly and are as many as the values; values are finite.
struct SparseRow {
  std::span<const FeatureId> features;
  std::span<const float> values;

  [[nodiscard]] std::size_t size() const noexcept { return features.size(); }
  [[nodiscard]] bool empty() const noexcept { return features.empty(); }
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

/// Sum of the products of two rows' shared features, in double, in ascending order.
[[nodiscard]] double dot(SparseRow left, SparseRow right) noexcept;

/// Sum of the squared values, in double.
[[nodiscard]] double squared_norm(SparseRow row) noexcept;

/// The row's value at a feature, 0 where it has none. Binary search.
[[nodiscard]] double value_at(SparseRow row, FeatureId feature) noexcept;

}  // namespace inkling
