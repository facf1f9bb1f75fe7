#include "io/score/score_explanation.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace inkling {

std::vector<WordShare> explain_score(std::span<const ScorePart> parts,
                                     const std::function<std::string(FeatureId)>& word_of) {
  std::vector<WordShare> shares;
  double square = 0.0;
  for (const ScorePart& part : parts) {
    square += part.value * part.smoothed;
    shares.push_back({.feature = part.feature,
                      .word = word_of(part.feature),
                      .value = part.value,
                      .weight = part.weight,
                      .contribution = part.value * part.weight,
                      .uncertainty = std::sqrt(std::max(part.variance, 0.0)),
                      .width_share = part.value * part.smoothed});
  }
  for (WordShare& share : shares) share.width_share = square > 0.0 ? share.width_share / square : 0.0;
  std::ranges::sort(shares, [](const WordShare& left, const WordShare& right) {
    return std::tuple(-std::fabs(left.contribution), left.feature) <
           std::tuple(-std::fabs(right.contribution), right.feature);
  });
  return shares;
}

}  // namespace inkling
