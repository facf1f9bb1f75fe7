// The one score and the one order by which documents are ranked: higher score first, ties to the lower row.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
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

/// The first of the highest scores above minus infinity, by its index. A chunk is searched for the place only
/// where its highest beats all before it; eight lanes keep the maximum free of a chain of comparisons.
[[nodiscard]] inline Ranked first_highest(std::span<const double> scores) {
  constexpr std::size_t chunk = 64;
  constexpr std::size_t lanes = 8;
  Ranked best;
  for (std::size_t first = 0; first < scores.size(); first += chunk) {
    const std::span<const double> part = scores.subspan(first, std::min(chunk, scores.size() - first));
    std::array<double, lanes> highest{};
    highest.fill(best.score);
    std::size_t i = 0;
    for (; i + lanes <= part.size(); i += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane)
        highest[lane] = std::max(highest[lane], part[i + lane]);
    }
    for (; i < part.size(); ++i) highest[0] = std::max(highest[0], part[i]);
    const double highest_here = *std::ranges::max_element(highest);
    if (!(highest_here > best.score)) continue;
    const auto place = static_cast<std::size_t>(std::ranges::find(part, highest_here) - part.begin());
    best = {static_cast<DocumentId>(first + place), highest_here};
  }
  return best;
}

}  // namespace inkling
