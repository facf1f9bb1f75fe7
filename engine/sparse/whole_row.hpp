// A document's words with its vector after them.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/sparse/csr_view.hpp"

namespace inkling {

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
