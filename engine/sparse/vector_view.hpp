// Vectors that a person brought, one for each document, and a document's words with its vector after them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/sparse/sparse_row.hpp"

namespace inkling {

class CsrView;

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

/// A document as a model that learns from vectors sees it: its words, and after them the numbers of its vector as features from
/// the number of words on.
class WholeRow {
 public:
  /// With its vector where a model of this many columns has a column for each word and each number; else the words alone.
  /// Valid until the next call, and as long as the documents. Requires: a row of the documents.
  [[nodiscard]] SparseRow of(const CsrView& documents, DocumentId document, std::int32_t columns);

 private:
  std::vector<FeatureId> features_;
  std::vector<float> values_;
};

}  // namespace inkling
