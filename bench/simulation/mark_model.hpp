// Which words a simulated reader marks in a document.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/sparse/sparse_row.hpp"

namespace inkling::bench {

/// Each markable word that a document holds is marked with one probability, independently.
class MarkModel {
 public:
  /// Nobody marks anything.
  explicit MarkModel(std::int32_t features) : MarkModel(features, {}, 0.0) {}

  /// Requires: the features ascend, each once, within [0, features).
  MarkModel(std::int32_t features, std::vector<FeatureId> markable, double probability);

  /// One draw for each markable word of the document, in ascending order.
  void draw(SparseRow document, RandomStream& random, std::vector<FeatureId>& marks) const;

  [[nodiscard]] const std::vector<FeatureId>& markable() const noexcept { return markable_; }
  [[nodiscard]] double probability() const noexcept { return probability_; }

 private:
  std::vector<FeatureId> markable_;
  std::vector<bool> is_markable_;  // by feature
  double probability_;
};

}  // namespace inkling::bench
