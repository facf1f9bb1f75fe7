#include "io/search/simulation/word_list.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <unordered_set>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"

namespace inkling::bench {
namespace {

bool is_small_letters(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
}

double mean_length(const WordList& words, std::int32_t from, std::int32_t to) {
  double sum = 0.0;
  for (std::int32_t rank = from; rank < to; ++rank) sum += static_cast<double>(words.word(rank).size());
  return sum / (to - from);
}

TEST_CASE("words differ and are small letters and frequent ones are shorter") {
  const WordList words(70'000);
  REQUIRE(words.size() == 70'000);
  std::unordered_set<std::string_view> seen;
  for (std::int32_t rank = 0; rank < words.size(); ++rank) {
    REQUIRE(is_small_letters(words.word(rank)));
    REQUIRE(seen.insert(words.word(rank)).second);
  }
  CHECK(words.word(0) == "the");
  CHECK(mean_length(words, 0, 64) < mean_length(words, 64, 500));
  CHECK(mean_length(words, 64, 500) < mean_length(words, 500, 5'000));
  CHECK(mean_length(words, 500, 5'000) < mean_length(words, 50'000, 70'000));
}

TEST_CASE("the word of a rank is the same in lists of every length") {
  const WordList few(100);
  const WordList many(5'000);
  for (std::int32_t rank = 0; rank < few.size(); ++rank) CHECK(few.word(rank) == many.word(rank));
}

TEST_CASE("a capitalised word differs in its first letter alone") {
  const WordList words(20'000);
  for (std::int32_t rank = 0; rank < words.size(); ++rank) {
    REQUIRE(words.capitalised(rank).size() == words.word(rank).size());
    CHECK(words.capitalised(rank).substr(1) == words.word(rank).substr(1));
    CHECK(words.capitalised(rank)[0] == words.word(rank)[0] - 'a' + 'A');
  }
}

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
  const std::vector<double> five = {1.0, 0.0, 2.5, 0.5, 6.0};
  const std::vector<double> shares_of_five = shares_of(AliasTable(five), 5);
  for (std::size_t n = 0; n < five.size(); ++n) CHECK(shares_of_five[n] == doctest::Approx(five[n] / 10.0).epsilon(1e-4));

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
