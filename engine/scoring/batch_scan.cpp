#include "engine/scoring/batch_scan.hpp"

#include <algorithm>
#include <cassert>

namespace inkling {
namespace {

/// Keeps the best `count` seen: a heap whose front is the worst of them.
void keep_best(std::vector<Ranked>& heap, std::size_t count, Ranked candidate) {
  if (heap.size() == count && (count == 0 || !ranks_before(candidate, heap.front()))) return;
  heap.push_back(candidate);
  std::ranges::push_heap(heap, ranks_before);
  if (heap.size() <= count) return;
  std::ranges::pop_heap(heap, ranks_before);
  heap.pop_back();
}

}  // namespace

BatchScan::BatchScan(const RidgeModel& model)
    : features_(model.features()),
      theta_(model.theta().begin(), model.theta().end()),
      inverse_(model.inverse()) {}

Prediction BatchScan::predict(SparseRow row, RestrictedRowBuffer& buffer) const {
  const RestrictedRow x = features_.restrict_row(row, buffer);
  const std::size_t m = theta_.size();
  Prediction prediction{0.0, 0.0};
  for (std::size_t p = 0; p < x.size(); ++p) {
    const auto a = static_cast<std::size_t>(x.positions[p]);
    prediction.mean += x.values[p] * theta_[a];
    const double* const inverse_row = inverse_.data() + a * m;
    double off_diagonal = 0.0;
    for (std::size_t q = 0; q < p; ++q) off_diagonal += x.values[q] * inverse_row[x.positions[q]];
    prediction.square += x.values[p] * (x.values[p] * inverse_row[a] + 2.0 * off_diagonal);
  }
  return prediction;
}

void BatchScan::score_all(CsrView documents, std::span<double> mean, std::span<double> square) const {
  assert(mean.size() == static_cast<std::size_t>(documents.rows()) && square.size() == mean.size());
  for_each(documents, [&](DocumentId i, const Prediction& prediction) {
    mean[static_cast<std::size_t>(i)] = prediction.mean;
    square[static_cast<std::size_t>(i)] = prediction.square;
  });
}

std::vector<Ranked> BatchScan::best(CsrView documents, double radius, std::int32_t count,
                                    const std::function<bool(DocumentId)>& remains) const {
  assert(count >= 0);
  const auto wanted = static_cast<std::size_t>(count);
  const RowBlocks blocks(documents.rows(), kRowsPerBlock);
  std::vector<std::vector<Ranked>> by_block(static_cast<std::size_t>(blocks.count()));
  for_each_block(blocks.count(), [&](std::int32_t index) {
    RestrictedRowBuffer buffer;
    std::vector<Ranked>& best = by_block[static_cast<std::size_t>(index)];
    for (DocumentId i = blocks[index].first; i < blocks[index].end; ++i) {
      if (remains && !remains(i)) continue;
      const Prediction prediction = predict(documents.row(i), buffer);
      keep_best(best, wanted, {i, optimism(prediction.mean, prediction.square, radius)});
    }
  });
  std::vector<Ranked> best;
  for (const std::vector<Ranked>& of_block : by_block) {
    for (const Ranked& candidate : of_block) keep_best(best, wanted, candidate);
  }
  std::ranges::sort(best, ranks_before);
  return best;
}

}  // namespace inkling
