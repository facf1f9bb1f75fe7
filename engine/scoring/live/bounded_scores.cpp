#include "engine/scoring/live/bounded_scores.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/model/dual_ridge_model.hpp"
#include "engine/scoring/parallel_blocks.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling {
namespace {

constexpr std::size_t kScoredTogether = KernelFactor::kSidesTogether;
constexpr std::int32_t kBoundsTogether = 4096;
static_assert(kBoundsTogether % NearMeans::kGrouped == 0);
/// Margins far above rounding: of a mean, relative to the largest possible product; of a squared width, relative to the largest
/// possible one.
constexpr double kBoundMeanMargin = 1e-11;
constexpr double kBoundSquareMargin = 1e-10;
/// An entry of a row at a random place of the pool costs as much as this many of one feature's postings.
constexpr double kRowEntryCost = 6.0;
/// How many slacks below the best mean an exact mean may still be the best: one because means may be too high, one because the
/// best may be too low.
constexpr double kReach = 2.0;
/// Size of the sample by which the number of possible winners is estimated.
constexpr std::int32_t kGapsSampled = 1024;
/// If at most this many of the sample may win, the number is estimated from groups of documents instead.
constexpr std::size_t kFewGaps = 8;
/// Up to one document in this many is found through groups; more of them through all bounds, on all threads.
constexpr std::int32_t kFewOf = 64;
constexpr std::int32_t kNarrowedTogether = 256;
/// Looking up a word in the model costs as much as putting this many weights in order of features.
constexpr std::size_t kLookUpCost = 16;

}  // namespace

BoundedScores::BoundedScores(PoolView pool, const PoolSurvey* survey) : pool_(pool), means_(pool, survey) {
  if (const VectorView vectors = pool.by_document.vectors(); !vectors.empty()) vectors_.emplace(vectors);
}

ModelWeights BoundedScores::weights_of_words(const DualRidgeModel& model) const {
  const auto vectors = static_cast<std::size_t>(pool_.by_document.vectors().dimensions);
  return {model.coordinates().subspan(vectors), model.theta().subspan(vectors), model.base_mean()};
}

void BoundedScores::release() noexcept {
  means_.release();
  if (vectors_) vectors_->release();
  highest_ = std::vector<double>();
  highest_mean_.reset();
  squares_ = std::vector<double>();
  follow_change();
}

double BoundedScores::cost_of(double documents) const noexcept {
  const double entries_each = static_cast<double>(pool_.by_document.nonzeros()) / pool_.documents();
  return kRowEntryCost * documents * entries_each;
}

std::vector<double> BoundedScores::sampled_gaps() const {
  const std::int32_t step = std::max(pool_.documents() / kGapsSampled, 1);
  std::vector<double> gaps;
  gaps.reserve(static_cast<std::size_t>(pool_.documents() / step + 1));
  for (DocumentId i = step / 2; i < pool_.documents(); i += step)
    gaps.push_back(highest_mean_ ? sort_key(*highest_mean_ - mean(i)) : 0.0);
  std::ranges::sort(gaps);
  return gaps;
}

std::vector<double> BoundedScores::gaps_of_groups(double most) const {
  std::vector<double> gaps;
  if (!highest_mean_) return gaps;
  const std::int32_t groups = RowBlocks(pool_.documents(), NearMeans::kGrouped).count();
  for (std::int32_t group = 0; group < groups; ++group)
    if (const double gap = sort_key(*highest_mean_ - highest(group)); gap < most) gaps.push_back(gap);
  std::ranges::sort(gaps);
  return gaps;
}

void BoundedScores::bring_means(const DualRidgeModel& model, double radius) {
  means_known_ = true;
  if (radius > 0.0) return means_.take(weights_of_words(model));
  const std::vector<double> gaps = sampled_gaps();
  const double documents_each = static_cast<double>(pool_.documents()) / static_cast<double>(gaps.size());
  const std::vector<double> of_groups = gaps_of_groups(gaps[std::min(gaps.size() - 1, std::size_t{kFewGaps})]);
  means_.follow(weights_of_words(model), [&](double slack) {
    if (slack == 0.0) return 0.0;
    const auto below = std::ranges::upper_bound(gaps, kReach * slack) - gaps.begin();
    const auto groups_below = std::ranges::upper_bound(of_groups, kReach * slack) - of_groups.begin();
    return cost_of(std::max(documents_each * static_cast<double>(below), static_cast<double>(groups_below)));
  });
  bring_vectors(model);
}

void BoundedScores::bring_vectors(const DualRidgeModel& model) {
  if (!vectors_) return;
  vectors_->take(model.theta().first(static_cast<std::size_t>(pool_.by_document.vectors().dimensions)));
  const RowBlocks groups(pool_.documents(), NearMeans::kGrouped);
  highest_.resize(static_cast<std::size_t>(groups.count()));
  for_each_block(groups.count(), [&](std::int32_t index) {
    double most = -std::numeric_limits<double>::infinity();
    // A value that is not a number may rank anywhere.
    for (DocumentId i = groups[index].first; i < groups[index].end; ++i)
      most = mean(i) <= most ? most : (std::isnan(mean(i)) ? std::numeric_limits<double>::infinity() : mean(i));
    highest_[static_cast<std::size_t>(index)] = most;
  });
}

bool BoundedScores::are_worth_weights(std::span<const Ranked> candidates, const DualRidgeModel& model) const noexcept {
  std::size_t entries = 0;
  for (const Ranked& one : candidates) entries += pool_.by_document.row(one.document).size();
  return kLookUpCost * entries > model.coordinates().size();
}

std::vector<Ranked> BoundedScores::narrowed(std::vector<Ranked> candidates, const DualRidgeModel& model, double least) {
  const std::span<const double> weights = means_.weights_of_features(weights_of_words(model));
  const double most_added = model.base_mean() + rounding_of_means(model) + (vectors_ ? vectors_->margin() : 0.0);
  const RowBlocks blocks(static_cast<std::int32_t>(candidates.size()), kNarrowedTogether);
  for_each_block(blocks.count(), [&](std::int32_t index) {
    for (std::int32_t n = blocks[index].first; n < blocks[index].end; ++n) {
      Ranked& one = candidates[static_cast<std::size_t>(n)];
      one.score = dot_in_any_order(pool_.by_document.row(one.document), weights) + most_added;
      if (vectors_) one.score += (*vectors_)[one.document];
    }
  });
  std::erase_if(candidates, [&](const Ranked& one) { return one.score < least; });
  return candidates;
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

double BoundedScores::rounding_of_means(const DualRidgeModel& model) const noexcept {
  return kBoundMeanMargin * (std::sqrt(means_.largest_norm_square() * means_.theta_square()) + std::fabs(model.base_mean()));
}

BoundedScores::Margin BoundedScores::margin(const DualRidgeModel& model) const noexcept {
  const double base = model.base();
  return {.mean = rounding_of_means(model) + means_.slack() + (vectors_ ? vectors_->margin() : 0.0),
          .square = kBoundSquareMargin * (means_.largest_norm_square() + base * base) / model.least_precision()};
}

double BoundedScores::bound(DocumentId document, double radius, const Margin& margin) const noexcept {
  const double most = mean(document) + margin.mean;
  if (radius == 0.0) return most;
  return most + radius * std::sqrt(squares_[static_cast<std::size_t>(document)] + margin.square);
}

std::vector<Ranked> BoundedScores::highest_means(const Margin& margin, std::size_t count, const Remains& remains) const {
  const RowBlocks groups(pool_.documents(), NearMeans::kGrouped);
  std::vector<std::int32_t> waiting(static_cast<std::size_t>(groups.count()));
  std::iota(waiting.begin(), waiting.end(), 0);
  const auto height = [this](std::int32_t group) { return highest(group); };
  std::ranges::make_heap(waiting, {}, height);
  BestKept best(count, remains);
  while (!waiting.empty() && !(height(waiting.front()) + margin.mean < best.least())) {
    const RowBlock group = groups[waiting.front()];
    for (DocumentId i = group.first; i < group.end; ++i) {
      const double most = bound(i, 0.0, margin);
      if (!(most < best.least())) best.consider({i, most});
    }
    std::ranges::pop_heap(waiting, {}, height);
    waiting.pop_back();
  }
  return best_of_parts(std::span(&best, 1), count);
}

std::vector<Ranked> BoundedScores::highest_bounds(double radius, const Margin& margin, std::size_t count,
                                                  const Remains& remains) const {
  const RowBlocks blocks(pool_.documents(), kBoundsTogether);
  std::vector<BestKept> by_block(static_cast<std::size_t>(blocks.count()), BestKept(count, remains));
  for_each_block(blocks.count(), [&](std::int32_t index) {
    BestKept& best = by_block[static_cast<std::size_t>(index)];
    for (DocumentId i = blocks[index].first; i < blocks[index].end; ++i) {
      const double most = bound(i, radius, margin);
      if (!(most < best.least())) best.consider({i, most});
    }
  });
  return best_of_parts(by_block, count);
}

std::vector<Ranked> BoundedScores::bounds_above(double least, double radius, const Margin& margin,
                                                std::span<const DocumentId> scored, const Remains& remains) const {
  const RowBlocks blocks(pool_.documents(), kBoundsTogether);
  const RowBlocks groups(pool_.documents(), NearMeans::kGrouped);
  std::vector<std::vector<Ranked>> by_block(static_cast<std::size_t>(blocks.count()));
  for_each_block(blocks.count(), [&](std::int32_t index) {
    const RowBlock block = blocks[index];
    for (std::int32_t group = block.first / NearMeans::kGrouped; group <= (block.end - 1) / NearMeans::kGrouped; ++group) {
      if (radius == 0.0 && highest(group) + margin.mean < least) continue;
      for (DocumentId i = groups[group].first; i < groups[group].end; ++i) {
        const double most = bound(i, radius, margin);
        if (most < least || std::ranges::binary_search(scored, i) || !remains(i)) continue;
        by_block[static_cast<std::size_t>(index)].push_back({i, most});
      }
    }
  });
  std::vector<Ranked> above;
  for (const std::vector<Ranked>& part : by_block) above.insert(above.end(), part.begin(), part.end());
  return above;
}

void BoundedScores::score_from_highest(std::vector<Ranked>& candidates, const DualRidgeModel& model, double radius,
                                       BestKept& best) {
  if (radius == 0.0 && are_worth_weights(candidates, model)) candidates = narrowed(std::move(candidates), model, best.least());
  std::ranges::sort(candidates, ranks_before);
  const std::size_t together = radius == 0.0 ? 1 : kScoredTogether;
  for (std::size_t n = 0; n < candidates.size() && !(candidates[n].score < best.least()); n += together)
    score(std::span(candidates).subspan(n, std::min(together, candidates.size() - n)), model, radius, best);
}

void BoundedScores::score(std::span<const Ranked> candidates, const DualRidgeModel& model, double radius, BestKept& best) {
  scored_ += static_cast<std::int64_t>(candidates.size());
  if (radius == 0.0) {
    for (const Ranked& candidate : candidates)
      best.consider({candidate.document, model.mean(whole_.of(pool_.by_document, candidate.document, model.columns()))});
    return;
  }
  std::array<SparseRow, kScoredTogether> rows;
  std::array<Prediction, kScoredTogether> predictions{};
  for (std::size_t n = 0; n < candidates.size(); ++n) rows[n] = pool_.by_document.row(candidates[n].document);
  model.predict_all(std::span(rows).first(candidates.size()), std::span(predictions).first(candidates.size()));
  for (std::size_t n = 0; n < candidates.size(); ++n) {
    const DocumentId document = candidates[n].document;
    squares_[static_cast<std::size_t>(document)] = predictions[n].square;
    best.consider({document, optimism(predictions[n].mean, predictions[n].square, radius)});
  }
}

std::vector<Ranked> BoundedScores::best(const DualRidgeModel& model, double radius, std::size_t count, const Remains& remains) {
  assert(radius == 0.0 || !vectors_);
  if (count == 0 || pool_.documents() == 0) return {};
  if (!widths_known_ && radius > 0.0) take_prior_widths(model);
  if (!means_known_ || (radius > 0.0 && !means_.exact())) bring_means(model, radius);
  const Margin within = margin(model);
  const Remains any = [](DocumentId) { return true; };
  BestKept best(count, any);
  const std::size_t wanted = std::max(count, kScoredTogether);
  const bool are_few = wanted <= static_cast<std::size_t>(pool_.documents() / kFewOf);
  std::vector<Ranked> first =
      radius == 0.0 && are_few ? highest_means(within, wanted, remains) : highest_bounds(radius, within, wanted, remains);
  std::vector<DocumentId> scored;
  scored.reserve(first.size());
  for (const Ranked& candidate : first) scored.push_back(candidate.document);
  std::ranges::sort(scored);
  score_from_highest(first, model, radius, best);
  std::vector<Ranked> others = bounds_above(best.least(), radius, within, scored, remains);
  const bool are_too_many = cost_of(static_cast<double>(others.size())) > static_cast<double>(pool_.by_document.nonzeros());
  if (are_too_many && !means_.exact()) {
    means_.take(weights_of_words(model));
    bring_vectors(model);
    return this->best(model, radius, count, remains);  // once: the means are exact now
  }
  if (!first.empty()) highest_mean_ = first[first.size() > count ? count : 0].score;
  score_from_highest(others, model, radius, best);
  return best_of_parts(std::span(&best, 1), count);
}

}  // namespace inkling
