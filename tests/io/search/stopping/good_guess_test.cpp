#include "io/search/stopping/good_guess.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

// The plain twin: the fit that the header describes, by small steps of gradient descent.
struct PlainChance {
  double level = 0.0;
  double slope = 0.0;
};

PlainChance plain_fit(const std::vector<ScoredRating>& ratings) {
  const std::size_t n = ratings.size();
  std::vector<double> weight(n);
  double all = 0.0;
  double mean = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    weight[i] = std::pow(2.0, -4.0 * static_cast<double>(n - 1 - i) / static_cast<double>(n));
    all += weight[i];
    mean += weight[i] * ratings[i].score;
  }
  mean /= all;
  double variance = 0.0;
  for (std::size_t i = 0; i < n; ++i) variance += weight[i] * std::pow(ratings[i].score - mean, 2.0) / all;
  const double unit = std::sqrt(variance);
  PlainChance chance;  // in units of the standard deviation
  for (int step = 0; step < 40'000; ++step) {
    double level = 0.0;
    double slope = -0.1 * chance.slope;
    for (std::size_t i = 0; i < n; ++i) {
      const double z = (ratings[i].score - mean) / unit;
      const double good = 1.0 / (1.0 + std::exp(-chance.level - chance.slope * z));
      level += weight[i] * ((ratings[i].is_good ? 1.0 : 0.0) - good);
      slope += weight[i] * ((ratings[i].is_good ? 1.0 : 0.0) - good) * z;
    }
    chance.level += level * 2.0 / all;
    chance.slope += slope * 2.0 / all;
  }
  return {chance.level - chance.slope / unit * mean, chance.slope / unit};
}

std::vector<ScoredRating> random_ratings(std::size_t count, double level, double slope, RandomStream& random) {
  std::vector<ScoredRating> ratings(count);
  for (ScoredRating& one : ratings) {
    one.score = 2.0 * random.uniform() - 1.0;
    one.is_good = random.coin(1.0 / (1.0 + std::exp(-level - slope * one.score)));
  }
  return ratings;
}

TEST_CASE("the probability by score equals that of plain gradient descent") {
  RandomStream random = test::stream_for(31);
  int fitted = 0;
  for (int n = 0; n < 60; ++n) {
    const std::vector<ScoredRating> ratings =
        random_ratings(2 + random.below(60), -2.0 + 3.0 * random.uniform(), 6.0 * random.uniform() - 1.0, random);
    const std::optional<ChanceByScore> chance = fitted_chance(ratings);
    std::size_t good = 0;
    for (const ScoredRating& one : ratings) good += one.is_good ? 1 : 0;
    if (good == 0 || good == ratings.size()) {
      CHECK_FALSE(chance);
      continue;
    }
    const PlainChance plain = plain_fit(ratings);
    CHECK(chance.has_value() == (plain.slope > 0.0));
    if (!chance) continue;
    ++fitted;
    for (const double score : {-1.0, 0.0, 0.7})
      CHECK(chance->of(score) == doctest::Approx(1.0 / (1.0 + std::exp(-plain.level - plain.slope * score))).epsilon(1e-3));
  }
  CHECK(fitted > 30);
}

TEST_CASE("scores that divide the ratings, that are all the same, or that are huge have a fit or none, and no other") {
  std::vector<ScoredRating> divided(40);
  for (std::size_t i = 0; i < divided.size(); ++i) divided[i] = {static_cast<double>(i % 8), i % 8 == 7};
  const ChanceByScore chance = fitted_chance(divided).value();
  CHECK(chance.of(7.0) > 0.5);
  CHECK(chance.of(6.0) < 0.5);
  CHECK(chance.of(-1e300) >= 0.0);
  for (ScoredRating& one : divided) one.score = 3.0;
  CHECK_FALSE(fitted_chance(divided));
  for (ScoredRating& one : divided) one.score = one.is_good ? 1e100 : -1e100;
  CHECK(fitted_chance(divided).value().of(1e100) > 0.9);
  CHECK_FALSE(fitted_chance({}));
}

// Fails if scores are asked for although there is no guess.
std::vector<double> nobody_asks() {
  FAIL("the unread documents were scored");
  return {};
}

TEST_CASE("a guess is near the truth if probabilities follow the scores and is unknown while good ones keep coming") {
  RandomStream random = test::stream_for(32);
  double guessed = 0.0;
  std::int64_t truth = 0;
  for (int n = 0; n < 40; ++n) {
    std::vector<ScoredRating> ratings = random_ratings(400, -3.0, 3.0, random);
    for (std::size_t i = 350; i < 400; ++i) ratings[i] = {-0.9, false};
    std::vector<double> unread;
    for (const ScoredRating& one : random_ratings(1000, -3.0, 3.0, random)) {
      unread.push_back(one.score);
      truth += one.is_good ? 1 : 0;
    }
    const std::optional<GoodGuess> guess = guess_good_left(ratings, [&] { return unread; });
    guessed += guess.value().about;
    CHECK(guess->ratings == 400);
    for (std::size_t i = 397; i < 400; ++i) ratings[i].is_good = true;
    CHECK_FALSE(guess_good_left(ratings, nobody_asks));
  }
  CHECK(guessed == doctest::Approx(static_cast<double>(truth)).epsilon(0.25));
  const std::vector<ScoredRating> few(49, {0.0, false});
  CHECK_FALSE(guess_good_left(few, nobody_asks));
}

}  // namespace
}  // namespace inkling
