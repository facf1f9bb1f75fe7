// The words that made a document's score.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/scoring/ranking.hpp"
#include "io/score/score_format.hpp"

namespace inkling {

/// What each of these words adds to the mean and to the squared width; the largest contribution, of either
/// sign, first. `word_of` names a feature; its text is empty where the pool has no words.
[[nodiscard]] std::vector<WordShare> explain_score(std::span<const ScorePart> parts,
                                                   const std::function<std::string(FeatureId)>& word_of);

}  // namespace inkling
