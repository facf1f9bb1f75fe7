#include "engine/scoring/scan/mean_scan.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include "engine/model/linear_model.hpp"
#include "engine/scoring/parallel_blocks.hpp"
#include "engine/scoring/scan/joint_scan.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling {

std::vector<double> weights_by_feature(const LinearModel& model) {
  std::vector<double> weights(static_cast<std::size_t>(model.columns()), 0.0);
  const std::span<const FeatureId> features = model.coordinates();
  const std::span<const double> theta = model.theta();
  for (std::size_t n = 0; n < features.size(); ++n) weights[static_cast<std::size_t>(features[n])] = theta[n];
  return weights;
}

MeanScan::MeanScan(const LinearModel& model) : base_mean_(model.base_mean()), weights_(weights_by_feature(model)) {}

void MeanScan::score(CsrView documents, std::span<const DocumentId> chosen, std::span<double> means) const {
  assert(means.size() == chosen.size());
  constexpr std::int32_t together = 512;
  const RowBlocks blocks(static_cast<std::int32_t>(chosen.size()), together);
  for_each_block(blocks.count(), [&](std::int32_t index) {
    const RowBlock block = blocks[index];
    for (auto n = static_cast<std::size_t>(block.first); n < static_cast<std::size_t>(block.end); ++n)
      means[n] = base_mean_ + dot_in_any_order(documents.row(chosen[n]), weights_);
  });
}

void MeanScan::score_all(PoolView pool, std::span<double> means) const {
  assert(means.size() == static_cast<std::size_t>(pool.documents()));
  constexpr std::int32_t together = 65536;  // their means fit in the second-level cache, and their postings are no short lists
  const RowBlocks blocks(pool.documents(), together);
  for_each_block(blocks.count(), [&](std::int32_t index) {
    const RowBlock rows = blocks[index];
    const std::span<double> found = means.subspan(static_cast<std::size_t>(rows.first), rows.size());
    std::ranges::fill(found, 0.0);
    for (std::size_t feature = 0; feature < weights_.size(); ++feature) {
      const double weight = weights_[feature];
      if (weight == 0.0) continue;
      const SparseRow postings = postings_within(pool.by_feature.row(static_cast<FeatureId>(feature)), rows);
      for (std::size_t n = 0; n < postings.size(); ++n)
        found[postings.features.place_within(n, rows.first, found.size())] += static_cast<double>(postings.values[n]) * weight;
    }
    for (double& mean : found) mean = base_mean_ + mean;
  });
}

void score_means(const LinearModel& model, CsrView documents, std::span<const DocumentId> chosen, std::span<double> means) {
  std::size_t words = 0;
  for (const DocumentId document : chosen) words += documents.row(document).size();
  if (words > static_cast<std::size_t>(model.columns() / 4)) return MeanScan(model).score(documents, chosen, means);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const SparseRow row = documents.row(chosen[i]);
    means[i] = model.base_mean();
    for (std::size_t n = 0; n < row.size(); ++n) means[i] += static_cast<double>(row.values[n]) * model.weight(row.features[n]);
  }
}

}  // namespace inkling
