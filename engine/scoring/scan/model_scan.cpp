#include "engine/scoring/scan/model_scan.hpp"

#include <span>
#include <vector>

#include "engine/model/dual_ridge_model.hpp"
#include "engine/model/ridge_model.hpp"

namespace inkling {
namespace {

/// The played documents by feature.
CsrMatrix columns_of(const DualRidgeModel& model) {
  CsrMatrix played(model.columns());
  for (std::size_t place = 0; place < model.factor().size(); ++place) played.append_row(model.played().row(place));
  return transposed(played.view());
}

std::vector<double> base_kernel_of(const DualRidgeModel& model) {
  std::vector<double> kernel;
  if (model.base() == 0.0) return kernel;
  kernel.reserve(model.factor().size());
  for (const PlayedDocument& played : model.played().in_order())
    kernel.push_back(model.base() * model.base_variance() * played.base);
  return kernel;
}

/// To form V^-1 costs a solve for each feature and m^2 memory; then documents are cheap. Without it each document costs
/// a solve, which is less work if there are more features than documents.
std::variant<DualScan, BatchScan, const LinearModel*> least_work(const LinearModel& model, std::int32_t documents) {
  if (const DualRidgeModel* const dual = model.dual()) return DualScan(*dual);
  const RidgeModel* const primal = model.primal();
  if (primal != nullptr && model.features_in_use() < documents) return BatchScan(*primal);
  return &model;
}

}  // namespace

BatchScan::BatchScan(const RidgeModel& model) : BatchScan(model.features().in_order(), model.theta(), model.inverse()) {
  if (model.base() == 0.0) return;
  const std::vector<double> inverse = model.base_inverse();
  base_.mean = model.base_mean();
  base_.square = model.base() * model.base() * inverse.front();
  base_.cross.reserve(theta_.size());
  for (const FeatureId feature : features()) {
    const auto a = static_cast<std::size_t>(*model.features().position(feature));
    base_.cross.push_back(model.base() * inverse[a + 1]);
  }
}

DualScan::DualScan(const DualRidgeModel& model)
    : features_in_use_(model.features_in_use()),
      theta_(model.weights()),
      variance_(model.variances()),
      columns_(columns_of(model)),
      factor_(model.factor()),
      base_mean_(model.base_mean()),
      base_square_(model.base() * model.base_variance() * model.base()),
      document_weights_(model.document_weights().begin(), model.document_weights().end()),
      base_kernel_(base_kernel_of(model)) {}

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
