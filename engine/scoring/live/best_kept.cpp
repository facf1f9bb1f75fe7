#include "engine/scoring/live/best_kept.hpp"

#include <algorithm>

namespace inkling {

std::vector<Ranked> best_of_parts(std::span<const BestKept> parts, std::size_t count) {
  std::vector<Ranked> best;
  for (const BestKept& part : parts) best.insert(best.end(), part.kept().begin(), part.kept().end());
  const std::size_t kept = std::min(count, best.size());
  std::ranges::partial_sort(best, best.begin() + static_cast<std::ptrdiff_t>(kept), ranks_before);
  best.resize(kept);
  return best;
}

}  // namespace inkling
