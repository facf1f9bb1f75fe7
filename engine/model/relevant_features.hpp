// The features a person has marked, in order of discovery, and the documents restricted to them.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/sparse/restricted_rows.hpp"
#include "engine/sparse/sparse_row.hpp"

namespace inkling {

/// R_t of the paper: a set of features with an order.
/// Thread safety: const members may be called from several threads at once.
class RelevantFeatures {
 public:
  /// Requires: features >= 0, the number of columns of the pool.
  explicit RelevantFeatures(std::int32_t features)
      : position_(static_cast<std::size_t>(features), kNotRelevant) {}

  [[nodiscard]] std::int32_t size() const noexcept { return static_cast<std::int32_t>(order_.size()); }
  [[nodiscard]] bool empty() const noexcept { return order_.empty(); }
  [[nodiscard]] std::span<const FeatureId> in_order() const noexcept { return order_; }

  /// Requires: 0 <= feature < features of the pool (here and below).
  [[nodiscard]] bool contains(FeatureId feature) const noexcept {
    assert(feature >= 0 && static_cast<std::size_t>(feature) < position_.size());
    return position_[static_cast<std::size_t>(feature)] != kNotRelevant;
  }
  [[nodiscard]] std::optional<std::int32_t> position(FeatureId feature) const noexcept {
    if (!contains(feature)) return std::nullopt;
    return position_[static_cast<std::size_t>(feature)];
  }

  /// Appends the feature. Requires: not contained.
  void append(FeatureId feature) {
    assert(!contains(feature));
    order_.push_back(feature);
    position_[static_cast<std::size_t>(feature)] = size() - 1;
  }

  /// Removes the feature; those after it move one position down. Requires: contained. Returns its former
  /// position.
  std::int32_t remove(FeatureId feature) {
    assert(contains(feature));
    const std::int32_t removed = std::exchange(position_[static_cast<std::size_t>(feature)], kNotRelevant);
    order_.erase(order_.begin() + removed);
    for (std::int32_t a = removed; a < size(); ++a) {
      position_[static_cast<std::size_t>(order_[static_cast<std::size_t>(a)])] = a;
    }
    return removed;
  }

  /// visit(position, value) for each relevant feature of the row, in ascending order of feature.
  template <typename Visit>
  void for_each_relevant(SparseRow row, const Visit& visit) const {
    for (std::size_t n = 0; n < row.size(); ++n) {
      const std::int32_t position = position_[static_cast<std::size_t>(row.features[n])];
      if (position != kNotRelevant) visit(position, row.values[n]);
    }
  }

  /// The row's relevant part, in ascending order of feature. Valid until `buffer` is used again.
  [[nodiscard]] RestrictedRow restrict_row(SparseRow row, RestrictedRows& buffer) const {
    buffer.clear();
    for_each_relevant(
        row, [&](std::int32_t position, float value) { buffer.add(position, static_cast<double>(value)); });
    return {buffer.positions, buffer.values};
  }

 private:
  static constexpr std::int32_t kNotRelevant = -1;

  std::vector<FeatureId> order_;
  std::vector<std::int32_t> position_;  // by feature
};

}  // namespace inkling
