#include "bench/studies/paper_settings.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace inkling::bench {

std::int64_t PaperSettings::horizon(std::int64_t usual) const {
  if (rounds) return *rounds;
  constexpr std::int64_t quick_share = 4;
  return effort == PaperEffort::full ? usual : std::max<std::int64_t>(1, usual / quick_share);
}

std::vector<double> PaperSettings::ridges() const {
  std::vector<double> grid = tuning_grid();
  if (effort == PaperEffort::full) return grid;
  std::vector<double> every_other;
  for (std::size_t n = 0; n < grid.size(); n += 2) every_other.push_back(grid[n]);
  return every_other;
}

std::vector<double> tuning_grid() {
  std::vector<double> grid;
  for (int power = -7; power <= 10; ++power) grid.push_back(std::ldexp(1.0, power));
  return grid;
}

}  // namespace inkling::bench
