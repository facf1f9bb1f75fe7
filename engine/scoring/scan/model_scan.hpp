// A model prepared for scoring, using the cheapest scan for its form.
#pragma once

#include <cstdint>
#include <variant>

#include "engine/scoring/scan/batch_scan.hpp"
#include "engine/scoring/scan/dual_scan.hpp"

namespace inkling {

class LinearModel;

/// The scores that decide a choice where a model keeps no V^-1. Their bits depend on the model and on how many documents its pool
/// has, not on how or when a document is scored. Lifetime: lends the model, which may not change as long as this lives. Thread
/// safety: none.
class ModelScan {
 public:
  /// For a pool of this many documents.
  ModelScan(const LinearModel& model, std::int32_t documents);
  /// A scan for which the model itself predicts each document.
  [[nodiscard]] static ModelScan by_solves(const LinearModel& model) { return ModelScan(&model); }

  [[nodiscard]] Prediction predict(CsrView documents, DocumentId document);

  /// visit(i, prediction) once for every row, from any thread. Requires: the calls are independent of their order.
  template <typename Visit>
  void for_each(CsrView documents, const Visit& visit) const {
    if (const auto* const dual = std::get_if<DualScan>(&scan_)) return dual->for_each(documents, visit);
    if (const auto* const batch = std::get_if<BatchScan>(&scan_)) return batch->for_each(documents, visit);
    for (DocumentId i = 0; i < documents.rows(); ++i) visit(i, predict_by_model(documents.row(i)));
  }

 private:
  explicit ModelScan(const LinearModel* model) : scan_(model) {}
  [[nodiscard]] Prediction predict_by_model(SparseRow row) const;

  std::variant<DualScan, BatchScan, const LinearModel*> scan_;
  DualScanBuffer dual_buffer_;
  RestrictedRows batch_buffer_;
};

}  // namespace inkling
