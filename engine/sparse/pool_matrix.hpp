// The owner of a pool held in memory: the same matrix by document and by feature.
#pragma once

#include <utility>

#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling {

/// Invariant: `by_feature` is the transpose of `by_document`. Move-only, as its matrices are.
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
