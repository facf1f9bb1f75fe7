#include "engine/scoring/live/running_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/scoring/parallel_blocks.hpp"
#include "engine/scoring/scan/batch_scan.hpp"
#include "engine/scoring/scan/dual_scan.hpp"

namespace inkling {
namespace {

constexpr double kRetired = -std::numeric_limits<double>::infinity();
using BlockOfDoubles = PoolProduct::BlockOfDoubles;

/// V^-1 costs a solve a feature to form, and m^2 memory, before documents are cheap; without it each document
/// costs a solve. With more features than documents the second is less work.
bool inverse_pays(const LinearModel& model, std::size_t documents) {
  return model.primal() != nullptr && static_cast<std::size_t>(model.features_in_use()) < documents;
}

}  // namespace

RunningScores::RunningScores(PoolView pool, Coordinates coordinates)
    : by_document_(pool.by_document),
      product_(pool, coordinates),
      mean_(static_cast<std::size_t>(pool.documents()), 0.0),
      square_(mean_) {}

void RunningScores::adopt(FeatureId feature, const RankOneChange& birth) {
  admit(feature);
  observe(birth);
}

void RunningScores::forget(std::int32_t position, const RankOneChange& removal) {
  observe(removal);
  product_.remove(position);
}

void RunningScores::rescore(std::span<const DocumentId> documents, const LinearModel& model) {
  if (inverse_pays(model, documents.size())) {
    const BatchScan scan(*model.primal());
    RestrictedRows buffer;
    for (const DocumentId i : documents) set(i, scan.predict(by_document_.row(i), buffer));
  } else {
    for (const DocumentId i : documents) set(i, model.predict(by_document_.row(i)));
  }
}

void RunningScores::set(DocumentId document, const Prediction& prediction) {
  const auto at = static_cast<std::size_t>(document);
  if (mean_[at] == kRetired) return;
  mean_[at] = prediction.mean;
  square_[at] = prediction.square;
}

void RunningScores::retire(DocumentId document) {
  mean_[static_cast<std::size_t>(document)] = kRetired;
  square_[static_cast<std::size_t>(document)] = 0.0;
}

void RunningScores::observe(const RankOneChange& change) {
  if (change.rebuilt || change.square_gain == 0.0) return;
  for_each_block(product_.blocks(), [&](std::int32_t index) {
    const RowBlock block = product_.block(index);
    BlockOfDoubles products;  // not initialised: multiply writes every entry that is read
    product_.multiply(index, change.direction, std::span(products).first(block.size()));
    double* __restrict mean = mean_.data() + block.first;
    double* __restrict square = square_.data() + block.first;
    for (std::size_t i = 0; i < block.size(); ++i) {
      mean[i] += change.mean_gain * products[i];
      square[i] += change.square_gain * (products[i] * products[i]);
    }
  });
}

void RunningScores::refresh(const LinearModel& model) {
  const auto keep = [&](DocumentId i, const Prediction& prediction) { set(i, prediction); };
  if (inverse_pays(model, mean_.size())) {
    BatchScan(*model.primal()).for_each(by_document_, keep);
  } else if (const DualRidgeModel* dual = model.dual()) {
    DualScan(*dual).for_each(by_document_, keep);
  } else {
    for (DocumentId i = 0; i < by_document_.rows(); ++i) set(i, model.predict(by_document_.row(i)));
  }
}

Ranked RunningScores::best(double radius) const {
  return best_of_blocks(product_.blocks(), [&](std::int32_t index) { return best_of_block(index, radius); });
}

Ranked RunningScores::best_of_block(std::int32_t index, double radius) const {
  const RowBlock block = product_.block(index);
  const double* __restrict mean = mean_.data() + block.first;
  const double* __restrict square = square_.data() + block.first;
  // The scores first, the comparison after: so the compiler can take several square roots at once.
  BlockOfDoubles scores;  // not initialised: every entry that is read is written here
  for (std::size_t i = 0; i < block.size(); ++i) {
    scores[i] = optimism(mean[i], square[i], radius);
  }
  const Ranked best = first_highest(std::span(scores).first(block.size()));
  return best.document == kNoDocument ? best : Ranked{block.first + best.document, best.score};
}

}  // namespace inkling
