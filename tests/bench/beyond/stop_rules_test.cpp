#include "bench/beyond/stop_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/engine/test_pool.hpp"

namespace inkling::bench {
namespace {

// The plain twin: counts all ways to draw by Pascal's triangle.
double plain_at_most(int most, int all, int wanted, int drawn) {
  std::vector<std::vector<double>> ways(static_cast<std::size_t>(all) + 1);
  for (std::size_t n = 0; n < ways.size(); ++n) {
    ways[n].assign(n + 1, 1.0);
    for (std::size_t k = 1; k < n; ++k) ways[n][k] = ways[n - 1][k - 1] + ways[n - 1][k];
  }
  const auto choose = [&](int n, int k) {
    return k < 0 || k > n ? 0.0 : ways[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)];
  };
  double sum = 0.0;
  for (int n = 0; n <= most; ++n) sum += choose(wanted, n) * choose(all - wanted, drawn - n);
  return sum / choose(all, drawn);
}

TEST_CASE("the hypergeometric test equals counting all ways to draw") {
  RandomStream random = test::stream_for(51);
  for (int n = 0; n < 500; ++n) {
    const std::int32_t all = test::between(0, 50, random);
    const std::int32_t wanted = test::between(0, all, random);
    const std::int32_t drawn = test::between(0, all, random);
    const std::int32_t most = test::between(0, 12, random);
    CHECK(hypergeometric_at_most(most, all, wanted, drawn) ==
          doctest::Approx(plain_at_most(most, all, wanted, drawn)).epsilon(1e-9));
  }
  CHECK(hypergeometric_at_most(0, 1'000'000, 60'000, 1000) == doctest::Approx(1.3e-27).epsilon(0.1));
  CHECK(hypergeometric_at_most(900, 1'000'000, 60'000, 1000) == doctest::Approx(1.0));
}

// A search in which the probability that a document is wanted falls from round to round.
Finds random_finds(std::int64_t documents, RandomStream& random) {
  Finds finds;
  const double fall = 0.2 + 0.8 * random.uniform();
  for (std::int64_t at = 1; at <= documents; ++at)
    if (random.coin(0.5 / (1.0 + fall * static_cast<double>(at)) + 0.01)) finds.at.push_back(at);
  finds.there = std::ssize(finds.at);
  finds.rounds = documents;
  return finds;
}

bool is_wanted(const Finds& finds, std::int64_t at) { return std::ranges::binary_search(finds.at, at); }

TEST_CASE("bad documents in a row are counted as one reads") {
  RandomStream random = test::stream_for(52);
  for (int n = 0; n < 200; ++n) {
    const Finds finds = random_finds(test::between(1, 300, random), random);
    const std::int64_t in_a_row = test::between(1, 60, random);
    std::int64_t read = 0;
    std::int64_t bad = 0;
    while (read < finds.rounds && bad < in_a_row) bad = is_wanted(finds, ++read) ? 0 : bad + 1;
    const Stop stop = stop_without_good({finds, finds.rounds}, in_a_row);
    CHECK(stop.read == read);
    CHECK(stop.found == std::ranges::count_if(finds.at, [&](std::int64_t at) { return at <= read; }));
    CHECK(stop.has_stopped == (read < finds.rounds));
  }
}

TEST_CASE("Buscar stops where some last part has too few wanted documents for a recall below 95 %") {
  RandomStream random = test::stream_for(53);
  int stopped = 0;
  for (int n = 0; n < 60; ++n) {
    const Finds finds = random_finds(test::between(20, 120, random), random);
    const auto documents = static_cast<int>(finds.rounds);
    int stop = documents;
    for (int read = 10; read < documents && stop == documents; read += 10) {
      const auto found = static_cast<int>(std::ranges::upper_bound(finds.at, read) - finds.at.begin());
      for (int first = 0; first < read; ++first) {  // tries every last part, not only those that begin after a wanted document
        const auto before = static_cast<int>(std::ranges::upper_bound(finds.at, first) - finds.at.begin());
        const int missing = found * 20 / 19 + 1 - before;
        if (missing > documents - first || plain_at_most(found - before, documents - first, missing, read - first) < 0.05)
          stop = read;
      }
    }
    stopped += stop < documents ? 1 : 0;
    CHECK(stop_by_buscar({finds, documents}, 0.95, 0.95).read == stop);
  }
  CHECK(stopped > 5);
}

TEST_CASE("the guess stops a search once and the bound stops it with nearly all found") {
  const Finds finds = {.there = 20,
                       .rounds = 400,
                       .at = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 300},
                       .guesses = {-1.0, 1.5, 1.0, 0.0}};
  CHECK(stop_by_guess({finds, 400, 25}, 0.95).read == 75);
  CHECK_FALSE(stop_by_guess({Finds{.there = 1, .at = {9}}, 400, 25}, 0.95).has_stopped);
  RandomStream random = test::stream_for(54);
  for (int n = 0; n < 20; ++n) {
    const Stop stop = stop_by_bound({finds, 400}, random);
    CHECK(stop.read > 69);
    CHECK(stop.found >= 19);
    CHECK(stop.has_stopped == (stop.read < 400));
  }
}

}  // namespace
}  // namespace inkling::bench
