// The one score and the one order by which documents are ranked: higher score first, ties to the lower row.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "engine/core/ids.hpp"

namespace inkling {

inline constexpr DocumentId kNoDocument = -1;

/// A document with the score by which it is ranked.
struct Ranked {
  DocumentId document = kNoDocument;
  double score = -std::numeric_limits<double>::infinity();
};

/// mean + radius * width, of a squared width that rounding may have left a little below 0.
[[nodiscard]] inline double optimism(double mean, double square, double radius) noexcept {
  return mean + radius * std::sqrt(std::max(square, 0.0));
}

[[nodiscard]] constexpr bool ranks_before(const Ranked& left, const Ranked& right) noexcept {
  return left.score > right.score || (left.score == right.score && left.document < right.document);
}

/// `first` becomes the candidate where that ranks before it. Either may be kNoDocument.
constexpr void keep_first(Ranked& first, Ranked candidate) noexcept {
  if (candidate.document == kNoDocument) return;
  if (first.document == kNoDocument || ranks_before(candidate, first)) first = candidate;
}

/// The first in rank of the blocks' best; kNoDocument where no block has one.
[[nodiscard]] constexpr Ranked first_ranked(std::span<const Ranked> by_block) noexcept {
  Ranked first;
  for (const Ranked& candidate : by_block) keep_first(first, candidate);
  return first;
}

}  // namespace inkling
