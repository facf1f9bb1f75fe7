#include "engine/scoring/scan/mean_scan.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include "engine/model/linear_model.hpp"
#include "engine/scoring/parallel_blocks.hpp"
#include "engine/scoring/scan/joint_scan.hpp"
#include "engine/sparse/row_blocks.hpp"
#include "engine/sparse/whole_row.hpp"

namespace inkling {
namespace {

/// What the vector of a document adds to its mean by these weights; 0 if they are of words alone.
double mean_of_vector(const CsrView& documents, DocumentId document, std::span<const double> weights) noexcept {
  const VectorView vectors = documents.vectors();
  const auto words = static_cast<std::size_t>(documents.columns());
  if (vectors.empty() || weights.size() != words + static_cast<std::size_t>(vectors.dimensions)) return 0.0;
  const std::span<const std::int8_t> codes = vectors.codes_of(document);
  const float scale = vectors.scales[static_cast<std::size_t>(document)];
  double sum = 0.0;
  for (std::size_t k = 0; k < codes.size(); ++k)
    sum += static_cast<double>(scale * static_cast<float>(codes[k])) * weights[words + k];
  return sum;
}

}  // namespace

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
      means[n] =
          base_mean_ + dot_in_any_order(documents.row(chosen[n]), weights_) + mean_of_vector(documents, chosen[n], weights_);
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
    for (std::size_t feature = 0; feature < static_cast<std::size_t>(pool.features()); ++feature) {
      const double weight = weights_[feature];
      if (weight == 0.0) continue;
      const SparseRow postings = postings_within(pool.by_feature.row(static_cast<FeatureId>(feature)), rows);
      for (std::size_t n = 0; n < postings.size(); ++n)
        found[postings.features.place_within(n, rows.first, found.size())] += static_cast<double>(postings.values[n]) * weight;
    }
    for (std::size_t i = 0; i < found.size(); ++i)
      found[i] += base_mean_ + mean_of_vector(pool.by_document, rows.first + static_cast<DocumentId>(i), weights_);
  });
}

void score_means(const LinearModel& model, CsrView documents, std::span<const DocumentId> chosen, std::span<double> means) {
  std::size_t words = 0;
  for (const DocumentId document : chosen) words += documents.row(document).size();
  if (words > static_cast<std::size_t>(model.columns() / 4)) return MeanScan(model).score(documents, chosen, means);
  WholeRow whole;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const SparseRow row = whole.of(documents, chosen[i], model.columns());
    means[i] = model.base_mean();
    for (std::size_t n = 0; n < row.size(); ++n) means[i] += static_cast<double>(row.values[n]) * model.weight(row.features[n]);
  }
}

}  // namespace inkling
