#include "io/score/score_ranking.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/scoring/ranking.hpp"

namespace inkling {
namespace {

// A selection is not worth its time for fewer documents.
constexpr std::size_t kFew = 512;

constexpr auto by_rank = [](const ScoredDocument& left, const ScoredDocument& right) {
  return ranks_before(left, right);
};

// Keeps the best `count`, in any order, and returns the lowest ucb of them. Requires: there are more, and
// count >= 1.
double select_best(std::vector<ScoredDocument>& documents, std::size_t count) {
  const auto last = documents.begin() + static_cast<std::ptrdiff_t>(count) - 1;
  std::ranges::nth_element(documents, last, by_rank);
  const double floor = last->ucb;
  documents.resize(count);
  return floor;
}

// Whether mean + radius * width may exceed the floor, by comparing squares: a square root takes longer than
// everything else that is done for a document. It is never false where the sum exceeds the floor: there are
// margins for rounding, overflow and underflow, because predictions and radii stay below 1e140
// (kSmallestRidge, kLargestRidge).
bool may_exceed(double floor, const Prediction& prediction, double squared_radius) {
  constexpr double rounding = 1.0 - 1e-12;
  constexpr double underflow = 1e-290;
  constexpr double farthest = 1e150;
  const double gap = std::min(floor - prediction.mean, farthest);
  return squared_radius * prediction.square + underflow >= rounding * gap * std::fabs(gap);
}

}  // namespace

Ranking::Ranking(std::size_t count, double radius, std::size_t slots, std::span<const PlayCount> left_out)
    : count_(count), radius_(radius), left_out_(left_out), picked_(slots) {}

void Ranking::pick(std::size_t slot, std::int64_t first_document, std::span<const Prediction> predictions) {
  std::vector<ScoredDocument>& picked = picked_[slot];
  picked.clear();
  // Documents come in order of row, so a later document that only equals the last of the best loses the tie.
  double floor = floor_.load(std::memory_order_relaxed);
  auto left_out = std::ranges::lower_bound(left_out_, first_document, {}, &PlayCount::document);
  const double squared_radius = radius_ * radius_;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    if (!may_exceed(floor, predictions[i], squared_radius)) continue;
    const auto [mean, square] = predictions[i];
    const double ucb = optimism(mean, square, radius_);
    if (!(ucb > floor)) continue;
    const std::int64_t document = first_document + static_cast<std::int64_t>(i);
    while (left_out != left_out_.end() && left_out->document < document) ++left_out;
    if (left_out != left_out_.end() && left_out->document == document) continue;
    picked.push_back({document, mean, square, ucb});
    if (picked.size() >= 2 * count_ + kFew) floor = select_best(picked, count_);
  }
  if (picked.size() > count_) select_best(picked, count_);
}

void Ranking::merge(std::size_t slot) {
  for (const ScoredDocument& candidate : picked_[slot]) keep_best(heap_, count_, candidate);
  if (heap_.size() == count_) floor_.store(heap_.front().ucb, std::memory_order_relaxed);
}

std::vector<ScoredDocument> Ranking::take_best() {
  std::ranges::sort_heap(heap_, by_rank);
  return std::exchange(heap_, {});
}

}  // namespace inkling
