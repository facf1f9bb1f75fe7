// Compares Cohen's kappa and its interval with plain twins.
#include "io/search/people/kappa.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"

namespace inkling {
namespace {

// Kappa by its definition, (agreement - agreement by chance) / (1 - agreement by chance), of shares that add up to 1.
double plain_kappa(const std::vector<double>& parts, std::size_t categories) {
  double agreed = 0.0;
  double by_chance = 0.0;
  for (std::size_t c = 0; c < categories; ++c) {
    double first = 0.0;
    double second = 0.0;
    for (std::size_t other = 0; other < categories; ++other) {
      first += parts[c * categories + other];
      second += parts[other * categories + c];
    }
    agreed += parts[c * categories + c];
    by_chance += first * second;
  }
  return (agreed - by_chance) / (1.0 - by_chance);
}

// The standard error by the delta method, with numerical slopes, for counts drawn with these shares.
double plain_deviation(const std::vector<double>& parts, std::size_t categories, double documents) {
  constexpr double step = 1e-6;
  double mean = 0.0;
  double squares = 0.0;
  for (std::size_t cell = 0; cell < parts.size(); ++cell) {
    const auto moved = [&](double by) {
      std::vector<double> other = parts;
      for (double& part : other) part *= 1.0 - by;
      other[cell] += by;
      return plain_kappa(other, categories);
    };
    const double slope = (moved(step) - moved(-step)) / (2.0 * step);
    mean += parts[cell] * slope;
    squares += parts[cell] * slope * slope;
  }
  return std::sqrt(std::max(squares - mean * mean, 0.0) / documents);
}

TEST_CASE("kappa of a table equals a calculation by hand") {
  // 20 both, 5 the first alone, 10 the second alone, 15 neither: they agree on 0.7, by chance on 0.5.
  const std::vector<std::int64_t> counts = {15, 10, 5, 20};
  const std::optional<Kappa> kappa = cohen_kappa(counts, 2);
  REQUIRE(kappa.has_value());
  CHECK(kappa->kappa == doctest::Approx(0.4).epsilon(1e-15));
  CHECK(kappa->low < 0.4);
  CHECK(kappa->high - kappa->kappa == doctest::Approx(1.959963984540054 * kappa->deviation));
}

TEST_CASE("kappa and its deviation are those of plain twins") {
  RandomStream random(7, 0, RandomRole::reward);
  int compared = 0;
  for (int trial = 0; trial < 2'000; ++trial) {
    const std::size_t categories = 1 + random.below(4);
    std::vector<std::int64_t> counts(categories * categories);
    const std::uint64_t most = trial % 3 == 0 ? 3 : 200;
    double all = 0.0;
    for (std::int64_t& count : counts) {
      count = random.below(3) == 0 ? 0 : static_cast<std::int64_t>(random.below(most));
      all += static_cast<double>(count);
    }
    std::vector<double> parts;
    for (const std::int64_t count : counts) parts.push_back(static_cast<double>(count) / std::max(all, 1.0));
    CAPTURE(trial);
    const std::optional<Kappa> kappa = cohen_kappa(counts, categories);
    const double expected = plain_kappa(parts, categories);
    if (!kappa) {
      CHECK((all == 0.0 || !std::isfinite(expected) || std::fabs(expected) > 1e6));
      continue;
    }
    ++compared;
    CHECK(kappa->kappa == doctest::Approx(expected).epsilon(1e-12));
    CHECK(kappa->deviation == doctest::Approx(plain_deviation(parts, categories, all)).epsilon(1e-5));
    CHECK(kappa->low >= -1.0);
    CHECK(kappa->high <= 1.0);
  }
  CHECK(compared > 1'000);
}

TEST_CASE("there is no kappa if agreement by chance is complete") {
  CHECK_FALSE(cohen_kappa(std::vector<std::int64_t>{0, 0, 0, 0}, 2).has_value());
  CHECK_FALSE(cohen_kappa(std::vector<std::int64_t>{9, 0, 0, 0}, 2).has_value());
  const std::optional<Kappa> opposite = cohen_kappa(std::vector<std::int64_t>{0, 9, 0, 0}, 2);
  REQUIRE(opposite.has_value());
  CHECK(opposite->kappa == 0.0);
  CHECK(cohen_kappa(std::vector<std::int64_t>{4, 0, 0, 5}, 2)->kappa == 1.0);
}

TEST_CASE("a deviation that is 0 is not what rounding leaves") {
  for (std::int64_t both = 1; both < 40; ++both)
    for (std::int64_t first_alone = 1; first_alone < 40; ++first_alone)
      CHECK(cohen_kappa(std::vector<std::int64_t>{0, 0, first_alone, both}, 2)->deviation == 0.0);
}

}  // namespace
}  // namespace inkling
