// A model frozen for scoring: the documents of any CSR view from nothing, in one pass over the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/model/rank_one_change.hpp"
#include "engine/scoring/ranking.hpp"
#include "engine/scoring/scan/feature_filter.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling {

class RidgeModel;

/// What a base rate adds to the scores of a model; nothing without one.
struct ScanBase {
  double mean = 0.0;
  double square = 0.0;        ///< of a document that holds only the base feature
  std::vector<double> cross;  ///< b V^-1 of the base feature with each position; empty without a base rate
};

/// Theta and V^-1 over the relevant features, formed once, so that a document costs nnz(x_R)^2 and not m^2. Sums run
/// over the features of a document in ascending order, so they have the same bits on any thread and however the
/// document was reached.
///
/// Owns all it needs: the model may change or go. Thread safety: const members may be called from several
/// threads at once.
class BatchScan {
 public:
  explicit BatchScan(const RidgeModel& model);  // in model_scan.cpp, so that no other scan is compiled with the models

  /// From the parts of a model: features in any order, theta by position in it, V^-1 row by row.
  /// Requires: each feature once, theta and inverse of their size and its square.
  BatchScan(std::span<const FeatureId> features, std::span<const double> theta, std::span<const double> inverse);

  /// The same with a base rate. Requires: features that ascend, and `cross` for each of them or for none.
  BatchScan(std::span<const FeatureId> features, std::span<const double> theta, std::span<const double> inverse, ScanBase base);

  /// Ascending.
  [[nodiscard]] std::span<const FeatureId> features() const noexcept { return filter_.features(); }
  /// By position in features(); V^-1 row by row.
  [[nodiscard]] std::span<const double> theta() const noexcept { return theta_; }
  [[nodiscard]] std::span<const double> inverse() const noexcept { return inverse_; }

  /// One document, with a buffer of the caller's thread.
  [[nodiscard]] Prediction predict(SparseRow row, RestrictedRows& buffer) const;

  /// What a base rate adds to every mean.
  [[nodiscard]] double base_mean() const noexcept { return base_.mean; }
  [[nodiscard]] const ScanBase& base() const noexcept { return base_; }

  /// The parts of one document's score, for the features of the model that it holds, ascending. Together with `base_mean` they
  /// add up to its mean.
  [[nodiscard]] std::vector<ScorePart> parts_of(SparseRow row) const;

  /// Many documents, each restricted to `features()`. Requires: as many predictions as rows.
  void predict(const RestrictedRows& rows, std::span<Prediction> predictions) const;

  /// visit(i, prediction) once for every row, from any thread. Requires: the calls are independent of their
  /// order.
  template <typename Visit>
  void for_each(CsrView documents, const Visit& visit) const {
    for_each_block_predicted(documents, [&](RowBlock rows, std::span<const Prediction> predictions) {
      for (std::size_t i = 0; i < rows.size(); ++i) visit(rows.first + static_cast<DocumentId>(i), predictions[i]);
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

  void add_base(RestrictedRow x, Prediction& prediction) const noexcept;

  /// visit(rows, their predictions) for every block of rows, from any thread.
  void for_each_block_predicted(CsrView documents, const std::function<void(RowBlock, std::span<const Prediction>)>& visit) const;

  FeatureFilter filter_;
  std::vector<double> theta_;    // by position in features()
  std::vector<double> inverse_;  // likewise, row by row
  ScanBase base_;
};

}  // namespace inkling
