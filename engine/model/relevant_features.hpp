// The features a person has marked, in order of discovery, and the documents restricted to them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/sparse/restricted_rows.hpp"
#include "engine/sparse/sparse_row.hpp"

namespace inkling {

/// R_t of the paper: a set of features with an order.
/// Thread safety: const members may be called from several threads at once.
class RelevantFeatures {
 public:
  /// Requires: features >= 0, the number of columns of the pool.
  explicit RelevantFeatures(std::int32_t features);

  [[nodiscard]] std::int32_t size() const noexcept { return static_cast<std::int32_t>(order_.size()); }
  [[nodiscard]] bool empty() const noexcept { return order_.empty(); }
  [[nodiscard]] std::span<const FeatureId> in_order() const noexcept { return order_; }

  /// Requires: 0 <= feature < features of the pool (here and below).
  [[nodiscard]] bool contains(FeatureId feature) const noexcept;
  [[nodiscard]] std::optional<std::int32_t> position(FeatureId feature) const noexcept;

  /// Appends the feature. Requires: not contained.
  void append(FeatureId feature);

  /// Removes the feature; those after it move one position down. Requires: contained. Returns its former
  /// position.
  std::int32_t remove(FeatureId feature);

  /// visit(position, value) for each relevant feature of the row, in ascending order of feature.
  template <typename Visit>
  void for_each_relevant(SparseRow row, const Visit& visit) const {
    for (std::size_t n = 0; n < row.size(); ++n) {
      const std::int32_t position = position_[static_cast<std::size_t>(row.features[n])];
      if (position >= 0) visit(position, row.values[n]);
    }
  }

  /// The row's relevant part, in ascending order of feature. Valid until `buffer` is used again.
  [[nodiscard]] RestrictedRow restrict_row(SparseRow row, RestrictedRows& buffer) const;

 private:
  std::vector<FeatureId> order_;
  std::vector<std::int32_t> position_;  // by feature; -1 where not relevant
};

}  // namespace inkling
