// The words that made a document's score, as Python gets them.
#pragma once

#include <tuple>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/scoring/ranking.hpp"
#include "io/search/score/score_output.hpp"

namespace inkling::python {

/// Feature, value, weight, contribution, deviation, share of the squared width.
using ScoreWord = std::tuple<FeatureId, double, double, double, double, double>;

/// The largest contribution, of either sign, first.
[[nodiscard]] inline std::vector<ScoreWord> score_words(std::span<const ScorePart> parts) {
  std::vector<ScoreWord> words;
  words.reserve(parts.size());
  for (const WordShare& share : explain_score(parts, [](FeatureId) { return std::string(); }))
    words.emplace_back(share.feature, share.value, share.weight, share.contribution, share.uncertainty, share.width_share);
  return words;
}

}  // namespace inkling::python
