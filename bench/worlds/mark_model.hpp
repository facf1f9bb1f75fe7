// Which words a simulated reader marks in a document.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/sparse_row.hpp"

namespace inkling::bench {

/// How often a word that a document holds is marked.
struct MarkRates {
  double deciding = 0.0;  ///< of the words that decide
  double others = 0.0;    ///< of all the rest
};

/// Each markable word that a document holds is marked with its probability, independently.
class MarkModel {
 public:
  /// Marks nothing.
  explicit MarkModel(std::int32_t features) : MarkModel(features, {}, 0.0) {}

  /// One probability for some words, and no marks for all others.
  /// Requires: the features ascend, each once, within [0, features).
  MarkModel(std::int32_t features, std::vector<FeatureId> markable, double probability);

  /// One probability for words that decide, and another for all others: one coin for each word of a document.
  /// Requires: as above.
  [[nodiscard]] static MarkModel with_rates(std::int32_t features, std::vector<FeatureId> deciding,
                                            MarkRates rates);

  /// What people marked in each document, each mark with one probability. `marks` has a row for each document
  /// with some of its features; its values do not matter.
  [[nodiscard]] static MarkModel as_marked(std::shared_ptr<const CsrMatrix> marks, double probability);

  /// One draw for each markable word of the document, in ascending order. `row` is the document's.
  void draw(DocumentId document, SparseRow row, RandomStream& random, std::vector<FeatureId>& marks) const;

  /// The words that decide or, of marks by document, that were marked in some document; ascending.
  [[nodiscard]] const std::vector<FeatureId>& markable() const noexcept { return markable_; }
  /// Of those.
  [[nodiscard]] double probability() const noexcept { return probability_; }

 private:
  std::vector<FeatureId> markable_;
  std::vector<bool> is_markable_;  // by feature
  double probability_;
  double probability_of_others_ = 0.0;
  std::shared_ptr<const CsrMatrix> by_document_;  // nothing where every document is marked alike
};

}  // namespace inkling::bench
