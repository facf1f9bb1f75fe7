#include "engine/core/nearest_name.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace inkling {

std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> two_up(to.size() + 1);
  std::vector<std::size_t> above(to.size() + 1);
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) row[j] = std::min(row[j], two_up[j - 2] + 1);
    }
    std::swap(two_up, above);
    std::swap(above, row);
  }
  return above[to.size()];
}

std::optional<std::string> nearest_name(std::string_view written, std::span<const std::string> names) {
  constexpr std::size_t longest_worth_comparing = 64;
  if (written.empty() || written.size() > longest_worth_comparing) return std::nullopt;

  const std::string* nearest = nullptr;
  std::size_t least = SIZE_MAX;
  for (const std::string& name : names) {
    const std::size_t shorter = std::min(written.size(), name.size());
    const std::size_t longer = std::max(written.size(), name.size());
    const std::size_t near_enough = std::max<std::size_t>(1, shorter / 3);
    const bool begins_so = name.starts_with(written);
    if (!begins_so && longer - shorter > near_enough) continue;  // no distance is less
    const std::size_t distance = begins_so ? 1 : edit_distance(written, name);
    if (distance > near_enough || distance >= least) continue;
    nearest = &name;
    least = distance;
  }
  if (nearest == nullptr) return std::nullopt;
  return *nearest;
}

std::string did_you_mean(std::string_view prefix, std::string_view written, std::span<const std::string> names) {
  const std::optional<std::string> nearest = nearest_name(written, names);
  return nearest ? " (did you mean " + std::string(prefix) + *nearest + "?)" : std::string();
}

}  // namespace inkling
