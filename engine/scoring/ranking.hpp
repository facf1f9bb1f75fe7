// The score of a document, its parts, and the order of ranks: higher score first, ties to the lower row.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/scoring/ranked.hpp"

namespace inkling {

/// The contribution of one feature of a document to its score: it adds value * weight to the mean and value * smoothed to the
/// squared width.
struct ScorePart {
  FeatureId feature = 0;
  double value = 0.0;     ///< x_j
  double weight = 0.0;    ///< theta_j
  double variance = 0.0;  ///< (V^-1)_jj
  double smoothed = 0.0;  ///< (V^-1 x)_j
};

/// mean + radius * width, from a squared width that may be a little below 0 by rounding.
[[nodiscard]] inline double optimism(double mean, double square, double radius) noexcept {
  return mean + radius * std::sqrt(std::max(square, 0.0));
}

/// The key by which numbers are sorted, highest first; NaN comes last. A sort of unordered elements may read beyond its
/// range, and values of a file that is overwritten may be anything.
[[nodiscard]] constexpr double sort_key(double number) noexcept {
  return number == number ? number : -std::numeric_limits<double>::infinity();
}

template <typename Document>
[[nodiscard]] constexpr bool score_ranks_before(double left_score, Document left, double right_score, Document right) noexcept {
  if (left_score > right_score) return true;
  if (left_score < right_score) return false;
  const double left_key = sort_key(left_score);
  const double right_key = sort_key(right_score);
  return left_key > right_key || (left_key == right_key && left < right);
}

[[nodiscard]] constexpr bool ranks_before(const Ranked& left, const Ranked& right) noexcept {
  return score_ranks_before(left.score, left.document, right.score, right.document);
}

/// `first` becomes the candidate if that ranks before it. Either may be kNoDocument.
constexpr void keep_first(Ranked& first, Ranked candidate) noexcept {
  if (candidate.document == kNoDocument) return;
  if (first.document == kNoDocument || ranks_before(candidate, first)) first = candidate;
}

/// `heap` keeps the best `count` of all candidates; its front is the worst of them. Works for whatever has an
/// overload of `ranks_before`.
template <typename Candidate>
void keep_best(std::vector<Candidate>& heap, std::size_t count, const Candidate& candidate) {
  const auto before = [](const Candidate& left, const Candidate& right) { return ranks_before(left, right); };
  if (heap.size() == count && (count == 0 || !before(candidate, heap.front()))) return;
  heap.push_back(candidate);
  std::push_heap(heap.begin(), heap.end(), before);
  if (heap.size() <= count) return;
  std::pop_heap(heap.begin(), heap.end(), before);
  heap.pop_back();
}

/// The first in rank of the blocks' best; kNoDocument where no block has one.
[[nodiscard]] constexpr Ranked first_ranked(std::span<const Ranked> by_block) noexcept {
  Ranked first;
  for (const Ranked& candidate : by_block) keep_first(first, candidate);
  return first;
}

/// The first of the highest scores above minus infinity, by its index. A chunk is searched for the place only if its
/// highest beats all before it. Eight lanes avoid a chain of dependent comparisons.
[[nodiscard]] Ranked first_highest(std::span<const double> scores);

}  // namespace inkling
