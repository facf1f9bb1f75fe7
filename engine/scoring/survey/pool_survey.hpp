// Facts about a pool that all searches in it use and none changes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>

#include "engine/core/ids.hpp"
#include "engine/scoring/survey/average_document.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling {

/// Lengths that bound the product of any row with a vector.
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

/// What one pass over all rows finds.
struct RowSurvey {
  RowLengths lengths = {};
  std::span<const double> along = {};      ///< the product of each document with the average one
  std::shared_ptr<const void> owner = {};  ///< of `along`
};

/// Each part is computed at its first use, and all searches in a pool may share it.
/// Lifetime: lends the pool and `left_out`. Thread safety: any number of threads; the work inside may use all of them.
class PoolSurvey {
 public:
  /// `average` is that of the whole pool if this pool is only a part of it. If it is empty, the average of this pool without
  /// `left_out` is used.
  explicit PoolSurvey(PoolView pool, std::span<const DocumentId> left_out = {},
                      std::shared_ptr<const AverageDocument> average = {});
  PoolSurvey(const PoolSurvey&) = delete;
  PoolSurvey& operator=(const PoolSurvey&) = delete;
  virtual ~PoolSurvey() = default;

  [[nodiscard]] const AverageDocument& average() const;
  [[nodiscard]] const RowSurvey& rows() const;

 protected:
  [[nodiscard]] PoolView pool() const noexcept { return pool_; }
  [[nodiscard]] std::span<const DocumentId> left_out() const noexcept { return left_out_; }

 private:
  /// Each of these is called once, unless it throws.
  [[nodiscard]] virtual AverageDocument find_average() const;
  [[nodiscard]] virtual RowSurvey find_rows() const;

  PoolView pool_;
  std::span<const DocumentId> left_out_;
  mutable std::once_flag average_once_;
  mutable std::shared_ptr<const AverageDocument> average_;
  mutable std::once_flag rows_once_;
  mutable RowSurvey rows_;
};

/// Makes the pass.
[[nodiscard]] RowSurvey survey_rows(PoolView pool, const AverageDocument& average);

}  // namespace inkling
