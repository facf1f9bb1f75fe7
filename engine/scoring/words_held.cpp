#include "engine/scoring/words_held.hpp"

#include <cmath>

namespace inkling {
namespace {

/// Grows with the number, from -1/2 to 1/2.
double within_level(double number) { return 0.5 * number / (1.0 + std::fabs(number)); }

}  // namespace

void WordsHeld::rate(FeatureId feature, double rating) {
  if (const auto known = signs_.find(feature); known != signs_.end()) {
    wanted_ -= known->second > 0 ? 1 : 0;
    signs_.erase(known);
  }
  if (rating != 0.0) signs_.emplace(feature, rating > 0.0 ? 1 : -1);
  wanted_ += rating > 0.0 ? 1 : 0;
  release();
}

void WordsHeld::bring_levels() {
  if (!levels_.empty()) return;
  levels_.assign(static_cast<std::size_t>(pool_.documents()), 0);
  for (const auto& [feature, sign] : signs_)
    for (const DocumentId document : pool_.by_feature.row(feature).features) levels_[static_cast<std::size_t>(document)] += sign;
}

std::optional<std::int32_t> WordsHeld::highest_below(std::optional<std::int32_t> limit, const Remains& remains) const {
  std::optional<std::int32_t> highest;
  for (std::size_t document = 0; document < levels_.size(); ++document) {
    const std::int32_t level = levels_[document];
    if ((limit && level >= *limit) || (highest && level <= *highest)) continue;
    if (remains(static_cast<DocumentId>(document))) highest = level;
  }
  return highest;
}

std::vector<Ranked> WordsHeld::rank(std::size_t count, const Remains& remains, const Best& best) {
  bring_levels();
  std::vector<Ranked> ranked;
  std::optional<std::int32_t> level;
  while (ranked.size() < count && (level = highest_below(level, remains))) {
    const auto is_in_level = [&](DocumentId document) {
      return levels_[static_cast<std::size_t>(document)] == *level && remains(document);
    };
    for (const Ranked& one : best(count - ranked.size(), is_in_level))
      ranked.push_back({one.document, static_cast<double>(*level) + within_level(one.score)});
  }
  return ranked;
}

}  // namespace inkling
