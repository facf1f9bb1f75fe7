#include "engine/scoring/ranking.hpp"

#include <array>

namespace inkling {

Ranked first_highest(std::span<const double> scores) {
  constexpr std::size_t chunk = 64;
  constexpr std::size_t lanes = 8;
  Ranked best;
  for (std::size_t first = 0; first < scores.size(); first += chunk) {
    const std::span<const double> part = scores.subspan(first, std::min(chunk, scores.size() - first));
    std::array<double, lanes> highest{};
    highest.fill(best.score);
    std::size_t i = 0;
    for (; i + lanes <= part.size(); i += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) highest[lane] = std::max(highest[lane], part[i + lane]);
    for (; i < part.size(); ++i) highest[0] = std::max(highest[0], part[i]);
    const double highest_here = *std::ranges::max_element(highest);
    if (!(highest_here > best.score)) continue;
    const auto place = static_cast<std::size_t>(std::ranges::find(part, highest_here) - part.begin());
    best = {static_cast<DocumentId>(first + place), highest_here};
  }
  return best;
}

}  // namespace inkling
