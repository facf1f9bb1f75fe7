// The owners of a compressed sparse row matrix, and of a pool, held in memory.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/sparse/csr_view.hpp"

namespace inkling {

/// Throws FormatError where the row is not one of a matrix of this many columns.
void check_row(std::int32_t columns, SparseRow row);

/// Move-only, because a pool is large and a copy is never meant.
/// Invariants: those of CsrView.
class CsrMatrix {
 public:
  /// An empty matrix of this many columns; rows are added with `append_row`.
  explicit CsrMatrix(std::int32_t columns);

  /// Takes the arrays, checked. Throws FormatError.
  CsrMatrix(std::int32_t columns, std::vector<std::int64_t> offsets, std::vector<FeatureId> features, std::vector<float> values);

  CsrMatrix(const CsrMatrix&) = delete;
  CsrMatrix& operator=(const CsrMatrix&) = delete;
  CsrMatrix(CsrMatrix&&) noexcept = default;
  CsrMatrix& operator=(CsrMatrix&&) noexcept = default;
  ~CsrMatrix() = default;

  /// Adds a row, checked. Throws FormatError and leaves the matrix as it was.
  void append_row(SparseRow row);

  /// Lifetime: the view is valid until the matrix changes, moves or dies; so not from a temporary.
  [[nodiscard]] CsrView view() const& noexcept { return {columns_, offsets_, features_, values_}; }
  CsrView view() const&& = delete;

 private:
  std::int32_t columns_;
  std::vector<std::int64_t> offsets_;
  std::vector<FeatureId> features_;
  std::vector<float> values_;
};

/// The same matrix by column: row j of the result lists the rows of `matrix` that hold column j, ascending.
[[nodiscard]] CsrMatrix transposed(CsrView matrix);

/// The owner of a pool held in memory. Invariant: `by_feature` is the transpose of `by_document`. Move-only, as its matrices are.
class PoolMatrix {
 public:
  explicit PoolMatrix(CsrMatrix by_document)
      : by_document_(std::move(by_document)), by_feature_(transposed(by_document_.view())) {}

  /// Lifetime: valid until the pool moves or dies; so not from a temporary.
  [[nodiscard]] PoolView view() const& noexcept { return {by_document_.view(), by_feature_.view()}; }
  PoolView view() const&& = delete;

 private:
  CsrMatrix by_document_;
  CsrMatrix by_feature_;
};

}  // namespace inkling
