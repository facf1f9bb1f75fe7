// What every search in a pool needs to know of it, and none changes.
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

/// What one pass over all rows finds.
struct RowSurvey {
  RowLengths lengths = {};
  std::span<const double> along = {};      ///< the product of each document with the average one
  std::shared_ptr<const void> owner = {};  ///< of `along`
};

/// Each part is found when it is first asked for, and all searches in a pool may share it.
/// Lifetime: lends the pool and `left_out`. Thread safety: any number of threads; the work inside may use all of them.
class PoolSurvey {
 public:
  /// `average` is that of the whole pool where this one is only a part of it. If there is none, it is that of this pool
  /// without the documents to leave out.
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
  /// Called once each, unless they throw.
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
