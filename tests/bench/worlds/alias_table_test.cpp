#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "bench/worlds/word_list.hpp"
#include "engine/core/random_stream.hpp"

namespace inkling::bench {
namespace {

/// The share of all 2^64 draws that give each index, to about 2^-20, by trying cells and coins on a fine grid.
std::vector<double> shares_of(const AliasTable& table, std::uint32_t cells) {
  constexpr std::uint64_t coins = 1U << 16U;
  std::vector<double> shares(cells, 0.0);
  for (std::uint64_t cell = 0; cell < cells; ++cell) {
    // The middle of the cell, and coins spread over 32 bits.
    const std::uint64_t high = (((cell << 32U) + (std::uint64_t{1} << 31U)) / cells) << 32U;
    for (std::uint64_t coin = 0; coin < coins; ++coin)
      shares[table.draw(high | (coin << 16U) | 0x8000U)] += 1.0 / (static_cast<double>(coins) * cells);
  }
  return shares;
}

TEST_CASE("each index has the share of its weight") {
  const std::vector<double> weights = {1.0, 0.0, 2.5, 0.5, 6.0};
  const std::vector<double> shares = shares_of(AliasTable(weights), 5);
  for (std::size_t n = 0; n < weights.size(); ++n) CHECK(shares[n] == doctest::Approx(weights[n] / 10.0).epsilon(1e-4));
}

TEST_CASE("random weights keep their shares") {
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    CAPTURE(trial);
    RandomStream random(31, trial, RandomRole::pool);
    std::vector<double> weights(1 + random.below(40));
    double sum = 0.0;
    for (double& weight : weights) sum += weight = random.uniform() * random.uniform();
    const std::vector<double> shares = shares_of(AliasTable(weights), static_cast<std::uint32_t>(weights.size()));
    for (std::size_t n = 0; n < weights.size(); ++n) CHECK(shares[n] == doctest::Approx(weights[n] / sum).epsilon(1e-3));
  }
}

TEST_CASE("a single weight is always drawn and extreme bits stay inside the table") {
  const AliasTable one(std::vector<double>{0.3});
  const AliasTable three(std::vector<double>{1.0, 1.0, 1.0});
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t bits : {std::uint64_t{0}, std::uint64_t{0xFFFFFFFF}, most}) CHECK(one.draw(bits) == 0);
  CHECK(three.draw(0) == 0);
  CHECK(three.draw(most) == 2);
}

}  // namespace
}  // namespace inkling::bench
