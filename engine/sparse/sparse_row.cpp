#include "engine/sparse/sparse_row.hpp"

#include <algorithm>

namespace inkling {

double dot(SparseRow left, SparseRow right) noexcept {
  double sum = 0.0;
  std::size_t l = 0;
  std::size_t r = 0;
  while (l < left.size() && r < right.size()) {
    if (left.features[l] < right.features[r]) {
      ++l;
    } else if (right.features[r] < left.features[l]) {
      ++r;
    } else {
      sum += static_cast<double>(left.values[l++]) * static_cast<double>(right.values[r++]);
    }
  }
  return sum;
}

double squared_norm(SparseRow row) noexcept {
  double sum = 0.0;
  for (const float value : row.values) sum += static_cast<double>(value) * static_cast<double>(value);
  return sum;
}

double value_at(SparseRow row, FeatureId feature) noexcept {
  const auto found = std::lower_bound(row.features.begin(), row.features.end(), feature);
  if (found == row.features.end() || *found != feature) return 0.0;
  return static_cast<double>(row.values[static_cast<std::size_t>(found - row.features.begin())]);
}

}  // namespace inkling
