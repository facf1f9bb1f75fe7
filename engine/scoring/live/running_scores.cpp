#include "engine/scoring/live/running_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/scoring/parallel_blocks.hpp"
#include "engine/scoring/scan/batch_scan.hpp"
#include "engine/scoring/scan/model_scan.hpp"

namespace inkling {
namespace {

constexpr double kRetired = -std::numeric_limits<double>::infinity();
using BlockOfDoubles = PoolProduct::BlockOfDoubles;

bool same_row(SparseRow left, SparseRow right) {
  return std::ranges::equal(left.features, right.features) && std::ranges::equal(left.values, right.values);
}

}  // namespace

RunningScores::RunningScores(PoolView pool, ModelForm form)
    : by_document_(pool.by_document),
      whole_documents_(pool.whole_documents()),
      product_(pool, form),
      mean_(static_cast<std::size_t>(pool.documents()), 0.0),
      square_(mean_) {
  for (DocumentId i = 0; i < by_document_.rows(); ++i)
    largest_norm_square_ = std::max(largest_norm_square_, squared_norm(by_document_.row(i)));
}

void RunningScores::adopt(FeatureId feature, const RankOneChange& birth, std::span<const FeatureId> features) {
  admit(feature);
  observe(birth, features);
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

void RunningScores::observe(const RankOneChange& change, std::span<const FeatureId> features) {
  if (change.rebuilt || change.square_gain == 0.0) return;
  product_.take(change.direction, features);
  for_each_block(product_.blocks(), [&](std::int32_t index) {
    const RowBlock block = product_.block(index);
    BlockOfDoubles products;  // not initialised: multiply writes every entry that is read
    product_.multiply(index, std::span(products).first(block.size()));
    double* __restrict mean = mean_.data() + block.first;
    double* __restrict square = square_.data() + block.first;
    if (change.base != 0.0)
      for (std::size_t i = 0; i < block.size(); ++i) products[i] += change.base;
    for (std::size_t i = 0; i < block.size(); ++i) {
      mean[i] += change.mean_gain * products[i];
      square[i] += change.square_gain * (products[i] * products[i]);
    }
  });
}

void RunningScores::refresh(const LinearModel& model) { take(ModelScan(model, whole_documents_)); }

void RunningScores::refresh_by_solves(const LinearModel& model) { take(ModelScan::by_solves(model)); }

void RunningScores::take(const ModelScan& scan) {
  scan.for_each(by_document_, [&](DocumentId i, const Prediction& prediction) { set(i, prediction); });
}

Ranked RunningScores::best(double radius) const { return first_ranked(best_by_block(radius)); }

std::vector<Ranked> RunningScores::best_by_block(double radius) const {
  return best_of_each_block(product_.blocks(), [&](std::int32_t index) { return best_of_block(index, radius); });
}

Ranked RunningScores::best_of_block(std::int32_t index, double radius) const {
  const RowBlock block = product_.block(index);
  const double* __restrict mean = mean_.data() + block.first;
  const double* __restrict square = square_.data() + block.first;
  // First all scores, then the comparison, so that the compiler can vectorise the square roots.
  BlockOfDoubles scores;  // not initialised: every entry that is read is written here
  for (std::size_t i = 0; i < block.size(); ++i) scores[i] = optimism(mean[i], square[i], radius);
  const Ranked best = first_highest(std::span(scores).first(block.size()));
  return best.document == kNoDocument ? best : Ranked{block.first + best.document, best.score};
}

/// A slack of a square raises a score by at most its root times the radius, so few blocks can have a contender.
std::vector<DocumentId> RunningScores::contenders(double radius, Slack slack) const {
  const std::vector<Ranked> by_block = best_by_block(radius);
  const Ranked first = first_ranked(by_block);
  if (first.document == kNoDocument) return {};
  const auto leader = static_cast<std::size_t>(first.document);
  const double least = optimism(mean_[leader], square_[leader] - slack.square, radius) - 2.0 * slack.mean;
  constexpr double margin = 1.0 + 1e-6;  // above the rounding of the roots
  const double most_raised = margin * radius * std::sqrt(slack.square);
  std::vector<DocumentId> contenders;
  bool any_other = false;
  for (std::int32_t index = 0; index < product_.blocks(); ++index) {
    const Ranked& best_here = by_block[static_cast<std::size_t>(index)];
    if (best_here.document == kNoDocument || best_here.score + most_raised < least) continue;
    for (DocumentId document = product_.block(index).first; document < product_.block(index).end; ++document) {
      const auto i = static_cast<std::size_t>(document);
      if (mean_[i] + radius * std::sqrt(std::max(square_[i], 0.0) + slack.square) < least) continue;
      contenders.push_back(document);
      any_other = any_other || !same_row(by_document_.row(document), by_document_.row(first.document));
    }
  }
  if (!any_other) contenders = {first.document};
  return contenders;
}

}  // namespace inkling
