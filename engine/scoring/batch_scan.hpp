// Scores the documents of any CSR view from nothing: one pass over the rows, all threads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/scoring/parallel_blocks.hpp"
#include "engine/scoring/ranking.hpp"
#include "engine/scoring/row_blocks.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling {

/// A model frozen for scoring: theta and V^-1 formed once, so that a document costs nnz(x_R)^2 and not m^2.
///
/// Lifetime: `features` lends the model's; the model must not change meanwhile.
/// Thread safety: const members may be called from several threads at once.
class BatchScan {
 public:
  explicit BatchScan(const RidgeModel& model);

  /// One document, with a buffer of the caller's thread.
  [[nodiscard]] Prediction predict(SparseRow row, RestrictedRowBuffer& buffer) const;

  /// visit(i, prediction) once for every row, from any thread. Requires: the calls are independent of their
  /// order.
  template <typename Visit>
  void for_each(CsrView documents, const Visit& visit) const {
    const RowBlocks blocks(documents.rows(), kRowsPerBlock);
    for_each_block(blocks.count(), [&](std::int32_t index) {
      RestrictedRowBuffer buffer;
      for (DocumentId i = blocks[index].first; i < blocks[index].end; ++i) {
        visit(i, predict(documents.row(i), buffer));
      }
    });
  }

  /// mean[i] and square[i] for every row. Requires: both of documents.rows().
  void score_all(CsrView documents, std::span<double> mean, std::span<double> square) const;

  /// The `count` documents of highest mean + radius * width among those for which `remains` holds (all where
  /// it is empty), best first. The same at any number of threads.
  [[nodiscard]] std::vector<Ranked> best(CsrView documents, double radius, std::int32_t count,
                                         const std::function<bool(DocumentId)>& remains = {}) const;

 private:
  static constexpr std::int32_t kRowsPerBlock = 512;

  const RelevantFeatures& features_;
  std::vector<double> theta_;
  std::vector<double> inverse_;
};

}  // namespace inkling
