#include "bench/worlds/mark_model.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace inkling::bench {
namespace {

std::vector<FeatureId> columns_in_use(CsrView matrix) {
  std::vector<FeatureId> columns(matrix.features().begin(), matrix.features().end());
  std::ranges::sort(columns);
  const auto repeated = std::ranges::unique(columns);
  columns.erase(repeated.begin(), repeated.end());
  return columns;
}

}  // namespace

MarkModel::MarkModel(std::int32_t features, std::vector<FeatureId> markable, double probability)
    : markable_(std::move(markable)),
      is_markable_(static_cast<std::size_t>(features), false),
      probability_(probability) {
  for (const FeatureId feature : markable_) is_markable_[static_cast<std::size_t>(feature)] = true;
}

MarkModel MarkModel::with_rates(std::int32_t features, std::vector<FeatureId> deciding, MarkRates rates) {
  MarkModel model(features, std::move(deciding), rates.deciding);
  model.probability_of_others_ = rates.others;
  return model;
}

MarkModel MarkModel::as_marked(std::shared_ptr<const CsrMatrix> marks, double probability) {
  const CsrView view = marks->view();
  MarkModel model(view.columns(), columns_in_use(view), probability);
  model.by_document_ = std::move(marks);
  return model;
}

void MarkModel::draw(DocumentId document, SparseRow row, RandomStream& random,
                     std::vector<FeatureId>& marks) const {
  marks.clear();
  const bool none_of_others = probability_of_others_ <= 0.0;
  if (markable_.empty() && none_of_others) return;
  const SparseRow candidates = by_document_ ? by_document_->view().row(document) : row;
  for (const FeatureId feature : candidates.features) {
    const bool is_markable = is_markable_[static_cast<std::size_t>(feature)];
    if (!is_markable && none_of_others) continue;
    if (random.coin(is_markable ? probability_ : probability_of_others_)) marks.push_back(feature);
  }
}

}  // namespace inkling::bench
