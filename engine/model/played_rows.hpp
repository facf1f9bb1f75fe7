// The played documents, restricted to the relevant features: what a factor is rebuilt from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/model/relevant_features.hpp"

namespace inkling {

/// A small CSR matrix of restricted rows, each with a weight: how often it was played.
class PlayedRows {
 public:
  void append(RestrictedRow row, double weight) {
    positions_.insert(positions_.end(), row.positions.begin(), row.positions.end());
    values_.insert(values_.end(), row.values.begin(), row.values.end());
    offsets_.push_back(positions_.size());
    weights_.push_back(weight);
  }

  [[nodiscard]] std::size_t size() const noexcept { return weights_.size(); }
  [[nodiscard]] double weight(std::size_t index) const noexcept { return weights_[index]; }
  [[nodiscard]] std::size_t entries() const noexcept { return positions_.size(); }

  /// Valid until the next `append`.
  [[nodiscard]] RestrictedRow row(std::size_t index) const noexcept {
    const std::size_t first = offsets_[index];
    const std::size_t count = offsets_[index + 1] - first;
    return {std::span(positions_).subspan(first, count), std::span(values_).subspan(first, count)};
  }

 private:
  std::vector<std::size_t> offsets_ = {0};
  std::vector<std::int32_t> positions_;
  std::vector<double> values_;
  std::vector<double> weights_;
};

}  // namespace inkling
