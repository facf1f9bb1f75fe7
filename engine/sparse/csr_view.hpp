// Views of a compressed sparse row matrix and of the numbers that a person brought for its rows. Their arrays may be
// those of a vector, of a mapped file or of another library.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/core/ids.hpp"
#include "engine/sparse/sparse_row.hpp"

namespace inkling {

/// Vector i is scales[i] times the codes [i * dimensions, (i + 1) * dimensions). A document without a vector has zeros.
/// Lifetime: lends its owner's arrays. Pass by value.
struct VectorView {
  static constexpr std::int32_t most_dimensions = 8192;

  std::int32_t dimensions = 0;
  std::span<const std::int8_t> codes = {};
  std::span<const float> scales = {};

  [[nodiscard]] bool empty() const noexcept { return dimensions == 0; }
  /// Requires: a document that has an entry in `scales`.
  [[nodiscard]] std::span<const std::int8_t> codes_of(DocumentId document) const noexcept {
    const auto size = static_cast<std::size_t>(dimensions);
    return codes.subspan(static_cast<std::size_t>(document) * size, size);
  }
};

/// Lifetime: lends its owner's arrays. Pass by value.
/// Invariants (checked once, by `check_csr`, at the border): offsets start at 0, never fall, end at the
/// number of non-zeros, and are one more than the rows; the features of a row ascend strictly within [0,
/// columns); values finite.
class CsrView {
 public:
  CsrView() noexcept = default;

  /// Requires: the invariants. Nothing is checked here; see `check_csr`.
  CsrView(std::int32_t columns, std::span<const std::int64_t> offsets, std::span<const FeatureId> features,
          std::span<const float> values) noexcept
      : columns_(columns), offsets_(offsets), features_(features), values_(values) {}

  [[nodiscard]] std::int32_t rows() const noexcept {
    return offsets_.empty() ? 0 : static_cast<std::int32_t>(offsets_.size() - 1);
  }
  [[nodiscard]] std::int32_t columns() const noexcept { return columns_; }
  [[nodiscard]] std::int64_t nonzeros() const noexcept { return static_cast<std::int64_t>(values_.size()); }

  /// Requires: 0 <= index < rows().
  [[nodiscard]] SparseRow row(std::int32_t index) const noexcept {
    assert(index >= 0 && index < rows());
    const auto at = static_cast<std::size_t>(index);
    const auto first = static_cast<std::size_t>(offsets_[at]);
    const std::size_t count = static_cast<std::size_t>(offsets_[at + 1]) - first;
    return {{features_.subspan(first, count), columns_}, values_.subspan(first, count)};
  }

  /// Prefetches where this row begins, for a later `row`.
  void prefetch_place(std::int32_t index) const noexcept {
    __builtin_prefetch(offsets_.data() + static_cast<std::size_t>(index));
  }

  [[nodiscard]] std::span<const std::int64_t> offsets() const noexcept { return offsets_; }
  [[nodiscard]] IdView features() const noexcept { return {features_, columns_}; }
  [[nodiscard]] std::span<const float> values() const noexcept { return values_; }

  /// Of the rows; empty where they have none.
  [[nodiscard]] VectorView vectors() const noexcept { return vectors_; }
  /// The same matrix with these vectors, or with none. Requires: one for each row.
  [[nodiscard]] CsrView with(VectorView vectors) const noexcept {
    CsrView whole = *this;
    whole.vectors_ = vectors;
    return whole;
  }

 private:
  std::int32_t columns_ = 0;
  std::span<const std::int64_t> offsets_;
  std::span<const FeatureId> features_;
  std::span<const float> values_;
  VectorView vectors_;
};

/// Throws FormatError, naming the array and the position, unless the arrays satisfy CsrView's invariants.
void check_csr(std::int32_t columns, std::span<const std::int64_t> offsets, IdView features, std::span<const float> values);

class PoolPart;

/// A pool as the engine sees it: the same matrix by document and by feature.
/// Lifetime: lends its owner's arrays. Invariants: `by_feature` is the transpose of `by_document`.
struct PoolView {
  CsrView by_document;
  CsrView by_feature;
  /// If these are only some documents of a pool, what is known about the others; else nullptr.
  const PoolPart* part = nullptr;

  [[nodiscard]] std::int32_t documents() const noexcept { return by_document.rows(); }
  [[nodiscard]] std::int32_t features() const noexcept { return by_document.columns(); }

  /// Documents and non-zeros of the whole pool.
  [[nodiscard]] std::int32_t whole_documents() const noexcept;
  [[nodiscard]] std::int64_t whole_nonzeros() const noexcept;
  /// The number of the first row in the whole pool.
  [[nodiscard]] DocumentId first_document() const noexcept;
  /// Whether a document of the whole pool is one of these rows.
  [[nodiscard]] bool holds(DocumentId document) const noexcept {
    return document >= first_document() && document - first_document() < documents();
  }
  /// The row of a document of the whole pool. Requires: it is held here, or `part` knows it.
  [[nodiscard]] SparseRow row_of(DocumentId document) const noexcept;
};

}  // namespace inkling
