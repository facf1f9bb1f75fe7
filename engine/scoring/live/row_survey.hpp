// What means need to know of every row of a pool, whatever a search has learned.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "engine/sparse/csr_view.hpp"

namespace inkling {

/// What bounds the product of any row with something.
struct RowLengths {
  double largest_norm_square = 0.0;
  std::size_t longest_row = 0;
  bool has_negative = false;

  void include(SparseRow row) noexcept {
    largest_norm_square = std::max(largest_norm_square, squared_norm(row));
    longest_row = std::max(longest_row, row.size());
    for (const float value : row.values) has_negative |= value < 0.0F;
  }
  void include(const RowLengths& other) noexcept {
    largest_norm_square = std::max(largest_norm_square, other.largest_norm_square);
    longest_row = std::max(longest_row, other.longest_row);
    has_negative |= other.has_negative;
  }
};

/// Each part is found once, and searches in a pool may share it.
/// Lifetime: lends the pool. Thread safety: any number of threads; the work inside may use all of them.
class RowSurvey {
 public:
  explicit RowSurvey(PoolView pool) : pool_(pool) {}

  /// Nothing until all rows were read: by `along`, or by a search that told.
  [[nodiscard]] const RowLengths* lengths() const noexcept { return has_lengths_ ? &lengths_ : nullptr; }
  /// The lengths of parts that together are all rows.
  void tell(std::span<const RowLengths> parts) const;

  /// The product of every document with the average one, found in one pass when it is first asked for. Requires: the
  /// same average each time.
  [[nodiscard]] std::span<const double> along(SparseRow average) const;

 private:
  PoolView pool_;
  mutable std::once_flag lengths_once_;
  mutable RowLengths lengths_;
  mutable std::atomic<bool> has_lengths_ = false;
  mutable std::once_flag along_once_;
  mutable std::vector<double> along_;
};

}  // namespace inkling
