#include "engine/scoring/live/bounded_scores.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/scoring/parallel_blocks.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling {
namespace {

constexpr std::size_t kScoredTogether = KernelFactor::kSidesTogether;
constexpr std::int32_t kBoundsTogether = 4096;
/// Many times what rounding does to a mean, as a part of the largest product there may be, and to a squared width, as a
/// part of the largest there may be.
constexpr double kBoundMeanMargin = 1e-11;
constexpr double kBoundSquareMargin = 1e-10;

}  // namespace

BoundedScores::BoundedScores(PoolView pool) : pool_(pool), product_(pool, ModelForm::dual) {
  const RowBlocks blocks(pool_.documents(), kBoundsTogether);
  std::vector<double> largest(static_cast<std::size_t>(blocks.count()), 0.0);
  for_each_block(blocks.count(), [&](std::int32_t index) {
    double& most = largest[static_cast<std::size_t>(index)];
    for (DocumentId i = blocks[index].first; i < blocks[index].end; ++i)
      most = std::max(most, squared_norm(pool_.by_document.row(i)));
  });
  for (const double most : largest) largest_norm_square_ = std::max(largest_norm_square_, most);
}

void BoundedScores::release() noexcept {
  product_ = PoolProduct(pool_, ModelForm::dual);
  means_ = {};
  squares_ = {};
  follow_change();
}

void BoundedScores::take_means(const DualRidgeModel& model) {
  product_.take(model.theta(), model.coordinates());
  means_.resize(static_cast<std::size_t>(pool_.documents()));
  const double base = model.base_mean();
  for_each_block(product_.blocks(), [&](std::int32_t index) {
    const RowBlock block = product_.block(index);
    const std::span<double> means =
        std::span(means_).subspan(static_cast<std::size_t>(block.first), block.size());
    product_.multiply_in_any_order(index, means);
    for (double& mean : means) mean += base;
  });
  means_known_ = true;
}

void BoundedScores::take_prior_widths(const DualRidgeModel& model) {
  const double of_base = model.base() * model.base() * model.base_variance();
  const double most = 1.0 / model.least_precision();
  squares_.resize(static_cast<std::size_t>(pool_.documents()));
  const RowBlocks blocks(pool_.documents(), kBoundsTogether);
  for_each_block(blocks.count(), [&](std::int32_t index) {
    for (DocumentId i = blocks[index].first; i < blocks[index].end; ++i)
      squares_[static_cast<std::size_t>(i)] = squared_norm(pool_.by_document.row(i)) * most + of_base;
  });
  widths_known_ = true;
}

BoundedScores::Margin BoundedScores::margin(const DualRidgeModel& model) const noexcept {
  double theta_square = 0.0;
  for (const double weight : model.theta()) theta_square += weight * weight;
  const double base = model.base();
  return {.mean = kBoundMeanMargin *
                  (std::sqrt(largest_norm_square_ * theta_square) + std::fabs(model.base_mean())),
          .square = kBoundSquareMargin * (largest_norm_square_ + base * base) / model.least_precision()};
}

double BoundedScores::bound(DocumentId document, double radius, const Margin& margin) const noexcept {
  const auto at = static_cast<std::size_t>(document);
  const double mean = means_[at] + margin.mean;
  return radius == 0.0 ? mean : mean + radius * std::sqrt(squares_[at] + margin.square);
}

std::vector<Ranked> BoundedScores::highest_bounds(double radius, const Margin& margin, std::size_t count,
                                                  const Remains& remains) const {
  const RowBlocks blocks(pool_.documents(), kBoundsTogether);
  std::vector<BestKept> by_block(static_cast<std::size_t>(blocks.count()), BestKept(count, remains));
  for_each_block(blocks.count(), [&](std::int32_t index) {
    BestKept& best = by_block[static_cast<std::size_t>(index)];
    for (DocumentId i = blocks[index].first; i < blocks[index].end; ++i)
      best.consider({i, bound(i, radius, margin)});
  });
  return best_of_parts(by_block, count);
}

std::vector<Ranked> BoundedScores::bounds_above(double least, double radius, const Margin& margin,
                                                std::span<const DocumentId> scored,
                                                const Remains& remains) const {
  const RowBlocks blocks(pool_.documents(), kBoundsTogether);
  std::vector<std::vector<Ranked>> by_block(static_cast<std::size_t>(blocks.count()));
  for_each_block(blocks.count(), [&](std::int32_t index) {
    for (DocumentId i = blocks[index].first; i < blocks[index].end; ++i) {
      const double most = bound(i, radius, margin);
      if (most < least || std::ranges::binary_search(scored, i) || !remains(i)) continue;
      by_block[static_cast<std::size_t>(index)].push_back({i, most});
    }
  });
  std::vector<Ranked> above;
  for (const std::vector<Ranked>& part : by_block) above.insert(above.end(), part.begin(), part.end());
  std::ranges::sort(above, ranks_before);
  return above;
}

void BoundedScores::score(std::span<const Ranked> candidates, const DualRidgeModel& model, double radius,
                          BestKept& best) {
  scored_ += static_cast<std::int64_t>(candidates.size());
  if (radius == 0.0) {
    for (const Ranked& candidate : candidates)
      best.consider({candidate.document, model.mean(pool_.by_document.row(candidate.document))});
    return;
  }
  std::array<SparseRow, kScoredTogether> rows;
  std::array<Prediction, kScoredTogether> predictions{};
  for (std::size_t n = 0; n < candidates.size(); ++n) rows[n] = pool_.by_document.row(candidates[n].document);
  model.predict_together(std::span(rows).first(candidates.size()),
                         std::span(predictions).first(candidates.size()));
  for (std::size_t n = 0; n < candidates.size(); ++n) {
    const DocumentId document = candidates[n].document;
    squares_[static_cast<std::size_t>(document)] = predictions[n].square;
    best.consider({document, optimism(predictions[n].mean, predictions[n].square, radius)});
  }
}

std::vector<Ranked> BoundedScores::best(const DualRidgeModel& model, double radius, std::size_t count,
                                        const Remains& remains) {
  if (count == 0) return {};
  if (!widths_known_ && radius > 0.0) take_prior_widths(model);
  if (!means_known_) take_means(model);
  const Margin within = margin(model);
  const Remains any = [](DocumentId) { return true; };
  BestKept best(count, any);
  const std::vector<Ranked> first = highest_bounds(radius, within, std::max(count, kScoredTogether), remains);
  std::vector<DocumentId> scored;
  scored.reserve(first.size());
  for (const Ranked& candidate : first) scored.push_back(candidate.document);
  std::ranges::sort(scored);
  for (std::size_t n = 0; n < first.size(); n += kScoredTogether)
    score(std::span(first).subspan(n, std::min(kScoredTogether, first.size() - n)), model, radius, best);
  const std::vector<Ranked> others = bounds_above(best.least(), radius, within, scored, remains);
  for (std::size_t n = 0; n < others.size() && !(others[n].score < best.least()); n += kScoredTogether)
    score(std::span(others).subspan(n, std::min(kScoredTogether, others.size() - n)), model, radius, best);
  return best_of_parts(std::span(&best, 1), count);
}

}  // namespace inkling
