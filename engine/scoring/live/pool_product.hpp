// x.v for every document of a pool, with v in the coordinates of a model.
#pragma once

#include <cstdint>
#include <span>

#include "engine/core/ids.hpp"
#include "engine/model/linear_model.hpp"
#include "engine/scoring/live/relevant_postings.hpp"
#include "engine/sparse/csr_view.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling {

/// By the postings of the features in use, where few are; by rows, where a direction has an entry for every
/// feature. Blocks of documents are independent of each other, and a document's sum has the same bits on
/// any thread.
/// Lifetime: lends the pool. Thread safety: const members may be called from several threads at once.
class PoolProduct {
 public:
  /// No block has more documents.
  static constexpr std::int32_t kLargestBlock = RelevantPostings::kBlock;
  using BlockOfDoubles = RelevantPostings::BlockOfDoubles;

  PoolProduct(PoolView pool, Coordinates coordinates)
      : by_document_(pool.by_document), coordinates_(coordinates), postings_(pool.by_feature) {}

  /// A feature comes into use: directions have one entry more, if they have one a feature in use.
  void admit(FeatureId feature) {
    if (by_postings()) postings_.append(feature);
  }

  /// The feature at this position leaves; those after it move one down.
  void remove(std::int32_t position) {
    if (by_postings()) postings_.remove(position);
  }

  [[nodiscard]] std::int32_t blocks() const noexcept { return row_blocks().count(); }
  /// Requires: 0 <= index < blocks().
  [[nodiscard]] RowBlock block(std::int32_t index) const noexcept { return row_blocks()[index]; }

  /// products[i - first] = x_i . direction for the documents of the block. Requires: direction is as long as
  /// the model's, products.size() == block(index).size().
  void multiply(std::int32_t index, std::span<const double> direction, std::span<double> products) const {
    if (by_postings()) return postings_.multiply(index, direction, products);
    const RowBlock rows = block(index);
    for (std::size_t n = 0; n < rows.size(); ++n) {
      products[n] = dot(by_document_.row(rows.first + static_cast<DocumentId>(n)), direction);
    }
  }

 private:
  /// Rows in full are long: a few hundred are enough work for a thread.
  static constexpr std::int32_t kLongRows = 256;

  [[nodiscard]] bool by_postings() const noexcept { return coordinates_ == Coordinates::features_in_use; }
  [[nodiscard]] RowBlocks row_blocks() const noexcept {
    return {by_document_.rows(), by_postings() ? kLargestBlock : kLongRows};
  }

  CsrView by_document_;
  Coordinates coordinates_;
  RelevantPostings postings_;
};

}  // namespace inkling
