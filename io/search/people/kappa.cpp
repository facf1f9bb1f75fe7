#include "io/search/people/kappa.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace inkling {

std::optional<Kappa> cohen_kappa(std::span<const std::int64_t> counts, std::size_t categories) {
  constexpr double normal_quantile = 1.959963984540054;  // of 0.975
  double all = 0.0;
  std::vector<double> first(categories);
  std::vector<double> second(categories);
  for (std::size_t a = 0; a < categories; ++a) {
    for (std::size_t b = 0; b < categories; ++b) {
      const auto count = static_cast<double>(counts[a * categories + b]);
      all += count;
      first[a] += count;
      second[b] += count;
    }
  }
  double agreed = 0.0;
  double by_chance = 0.0;
  for (std::size_t c = 0; c < categories; ++c) {
    if (first[c] == all && second[c] == all) return std::nullopt;  // also if there are no documents
    agreed += static_cast<double>(counts[c * categories + c]) / all;
    by_chance += first[c] / all * (second[c] / all);
  }
  const double left = 1.0 - by_chance;
  const double kappa = 1.0 - (1.0 - agreed) / left;
  double squares = 0.0;  // the average square of the change in kappa by each cell
  for (std::size_t a = 0; a < categories; ++a) {
    for (std::size_t b = 0; b < categories; ++b) {
      const double part = static_cast<double>(counts[a * categories + b]) / all;
      const double sums = (second[a] + first[b]) / all * (1.0 - agreed);
      const double derivative = (a == b ? left : 0.0) - sums;
      squares += part * derivative * derivative;
    }
  }
  const double mean = agreed * by_chance - 2.0 * by_chance + agreed;
  // Rounding alone would give a deviation of 1e-9, so a difference that small counts as 0.
  const double spread = squares - mean * mean;
  const bool is_rounding = spread < 16.0 * std::numeric_limits<double>::epsilon() * std::sqrt(squares);
  const double variance = is_rounding ? 0.0 : spread / (all * left * left * left * left);
  const double deviation = std::sqrt(variance);
  return Kappa{kappa, deviation, std::max(kappa - normal_quantile * deviation, -1.0),
               std::min(kappa + normal_quantile * deviation, 1.0)};
}

}  // namespace inkling
