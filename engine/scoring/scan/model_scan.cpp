#include "engine/scoring/scan/model_scan.hpp"

#include <span>

#include "engine/model/dual_ridge_model.hpp"
#include "engine/model/ridge_model.hpp"

namespace inkling {
namespace {

/// To form V^-1 costs a solve for each feature and m^2 memory; then documents are cheap. Without it each document costs
/// a solve, which is less work if there are more features than documents.
std::variant<DualScan, BatchScan, const LinearModel*> least_work(const LinearModel& model, std::int32_t documents) {
  if (const DualRidgeModel* const dual = model.dual()) return DualScan(*dual);
  const RidgeModel* const primal = model.primal();
  if (primal != nullptr && model.features_in_use() < documents) return BatchScan(*primal);
  return &model;
}

}  // namespace

ModelScan::ModelScan(const LinearModel& model, std::int32_t documents) : scan_(least_work(model, documents)) {}

Prediction ModelScan::predict(CsrView documents, DocumentId document) {
  if (const auto* const dual = std::get_if<DualScan>(&scan_)) {
    Prediction prediction{0.0, 0.0};
    dual->score_rows(documents, {document, document + 1}, dual_buffer_, std::span(&prediction, 1));
    return prediction;
  }
  const SparseRow row = documents.row(document);
  if (const auto* const batch = std::get_if<BatchScan>(&scan_)) return batch->predict(row, batch_buffer_);
  return predict_by_model(row);
}

Prediction ModelScan::predict_by_model(SparseRow row) const { return std::get<const LinearModel*>(scan_)->predict(row); }

}  // namespace inkling
