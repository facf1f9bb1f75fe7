#include "bench/worlds/alias_table.hpp"

#include <cassert>

namespace inkling::bench {

AliasTable::AliasTable(std::span<const double> weights) {
  assert(!weights.empty() && weights.size() <= std::size_t{1} << 31U);
  double sum = 0.0;
  for (const double weight : weights) sum += weight;
  assert(sum > 0.0);

  // Each cell holds an average share. A cell with less is filled up from one with more.
  std::vector<double> shares;
  std::vector<std::uint32_t> lean;
  std::vector<std::uint32_t> rich;
  shares.reserve(weights.size());
  for (std::uint32_t n = 0; n < weights.size(); ++n) {
    shares.push_back(weights[n] / sum * static_cast<double>(weights.size()));
    (shares.back() < 1.0 ? lean : rich).push_back(n);
    cells_.push_back({0xFFFFFFFFU, n});
  }
  while (!lean.empty() && !rich.empty()) {
    const std::uint32_t filled = lean.back();
    const std::uint32_t giver = rich.back();
    lean.pop_back();
    cells_[filled] = {static_cast<std::uint32_t>(shares[filled] * 0x1p32), giver};
    shares[giver] -= 1.0 - shares[filled];
    if (shares[giver] >= 1.0) continue;
    rich.pop_back();
    lean.push_back(giver);
  }
}

}  // namespace inkling::bench
