// The means that a model predicts, without the widths: a product of the documents with its weights.
#pragma once

#include <span>
#include <vector>

#include "engine/sparse/csr_view.hpp"

namespace inkling {

class LinearModel;

/// The weight of every feature: 0 of those that are not in use.
[[nodiscard]] std::vector<double> weights_by_feature(const LinearModel& model);

/// A mean is that of `LinearModel::predict` up to rounding. Owns all that it needs, 8 bytes a feature. Thread safety: const members
/// may be called from several threads at once.
class MeanScan {
 public:
  explicit MeanScan(const LinearModel& model);

  /// means[i] of document chosen[i]. Requires, here and below: documents of the features of the model's pool, and as many means.
  void score(CsrView documents, std::span<const DocumentId> chosen, std::span<double> means) const;
  /// means[i] of document i, by all threads, from the postings of the features whose weight is not 0.
  void score_all(PoolView pool, std::span<double> means) const;

 private:
  double base_mean_;
  std::vector<double> weights_;  // by feature
};

/// The same as MeanScan::score, without its 8 bytes a feature where the documents hold few words.
void score_means(const LinearModel& model, CsrView documents, std::span<const DocumentId> chosen, std::span<double> means);

}  // namespace inkling
