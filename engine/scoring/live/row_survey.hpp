// What means need to know of every row of a pool, whatever a search has learned.
#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "engine/sparse/csr_view.hpp"

namespace inkling {

/// Each part is found in one pass over the pool, when it is first asked for. Searches in a pool may share one.
/// Lifetime: lends the pool. Thread safety: any number of threads; the work inside may use all of them.
class RowSurvey {
 public:
  explicit RowSurvey(PoolView pool) : pool_(pool) {}

  struct Lengths {
    double largest_norm_square = 0.0;
    std::size_t longest_row = 0;
    bool has_negative = false;
  };
  [[nodiscard]] const Lengths& lengths() const;

  /// The product of every document with the average one. Requires: the same average each time.
  [[nodiscard]] std::span<const double> along(SparseRow average) const;

 private:
  PoolView pool_;
  mutable std::once_flag lengths_once_;
  mutable Lengths lengths_;
  mutable std::once_flag along_once_;
  mutable std::vector<double> along_;
};

}  // namespace inkling
