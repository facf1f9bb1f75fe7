// What a process knows about a pool of which it holds only some rows.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "engine/core/id_map.hpp"
#include "engine/sparse/sparse_row.hpp"

namespace inkling {

/// Where the rows held here are in the whole pool, and copies of rows that are held elsewhere but learned from here.
/// Thread safety: const members from any number of threads.
class PoolPart {
 public:
  /// Requires: the rows that are held, from `first` on, are among the `documents`; `nonzeros` are those of the whole pool.
  PoolPart(DocumentId first, DocumentId documents, std::int64_t nonzeros)
      : first_(first), documents_(documents), nonzeros_(nonzeros) {}

  /// The number in the whole pool of the first row that is held.
  [[nodiscard]] DocumentId first() const noexcept { return first_; }
  /// Documents and non-zeros of the whole pool.
  [[nodiscard]] DocumentId documents() const noexcept { return documents_; }
  [[nodiscard]] std::int64_t nonzeros() const noexcept { return nonzeros_; }

  [[nodiscard]] bool knows(DocumentId document) const noexcept { return number_.contains(document); }

  /// Copies the row of a document that is held elsewhere; does nothing if it is known.
  void learn_row(DocumentId document, SparseRow row) {
    if (knows(document)) return;
    rows_.push_back({{row.features.begin(), row.features.end()}, {row.values.begin(), row.values.end()}});
    number_.set(document, static_cast<std::int32_t>(rows_.size() - 1));
  }

  /// Lifetime: that of this. Requires: knows(document).
  [[nodiscard]] SparseRow row(DocumentId document) const noexcept {
    const Row& row = rows_[static_cast<std::size_t>(number_.find(document))];
    return {row.features, row.values};
  }

 private:
  struct Row {
    std::vector<FeatureId> features;
    std::vector<float> values;
  };

  DocumentId first_;
  DocumentId documents_;
  std::int64_t nonzeros_;
  std::deque<Row> rows_;  // a deque, so that addresses stay valid
  IdMap<DocumentId> number_;
};

}  // namespace inkling
