#include "io/search/stopping/good_left.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"

namespace inkling {
namespace {

using Draws = std::vector<RandomDraw>;

std::int64_t number_below(std::int64_t bound, RandomStream& random) {
  return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bound)));
}

// The wealth of the bettor with ratio r against a guess after all draws: multiplies the factors one by one, as in the proof.
long double wealth_of(double r, const Draws& draws, std::int64_t guess) {
  long double wealth = 1.0L;
  for (const RandomDraw& draw : draws) {
    const std::int64_t waiting = std::max<std::int64_t>(0, draw.unrated - draw.among);
    const std::int64_t good = std::clamp<std::int64_t>(guess - draw.good_before - waiting, 0, draw.among);
    const long double p = static_cast<long double>(good) / static_cast<long double>(draw.among);
    const long double q = static_cast<long double>(r) * p;
    if (draw.good.value_or(true)) {
      wealth *= p == 0.0L ? static_cast<long double>(r) : q / p;
    } else {
      if (good == draw.among) return std::numeric_limits<long double>::infinity();
      wealth *= (1.0L - q) / (1.0L - p);
    }
  }
  return wealth;
}

long double wealth_of_all(const Draws& draws, std::int64_t guess) {
  long double wealth = 0.6L * wealth_of(0.0, draws, guess);
  for (const double r : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.975, 0.99})
    wealth += 0.4L / 12.0L * wealth_of(r, draws, guess);
  return wealth;
}

struct PlainBound {
  std::int64_t at_most = 0;
  bool is_close = false;  // for some guess the wealth is so near the limit that rounding may decide
};

// The plain twin: tests every guess, the largest first.
PlainBound plain_bound(const Draws& draws, std::int64_t unrated, std::int64_t good_found, double confidence) {
  const long double enough = 1.0L / (1.0L - static_cast<long double>(confidence));
  PlainBound bound;
  std::int64_t guess = good_found + unrated;
  for (; guess > good_found; --guess) {
    const long double wealth = wealth_of_all(draws, guess);
    bound.is_close = bound.is_close || std::fabs(wealth / enough - 1.0L) < 1e-9L;
    if (wealth < enough) break;
  }
  bound.at_most = guess - good_found;
  return bound;
}

// A search of a small pool: how documents are chosen between the draws, and how many are skipped.
struct Search {
  std::int64_t documents = 0;
  std::int64_t good = 0;
  double draw_share = 0.5;     // share of rounds that are random draws
  double sight = 0.5;          // probability that a chosen document is good, if one is left
  double skip_share = 0.0;     // share of chosen documents that are skipped
  double unrated_share = 0.0;  // share of draws that are skipped
};

class SimulatedSearch {
 public:
  SimulatedSearch(const Search& search, RandomStream& random) : search_(search), random_(random) {
    is_good_.assign(static_cast<std::size_t>(search.documents), false);
    std::fill_n(is_good_.begin(), search.good, true);
    for (std::int64_t document = 0; document < search.documents; ++document) offered_.push_back(document);
  }

  [[nodiscard]] bool ended() const { return offered_.empty() && waiting_.empty(); }
  [[nodiscard]] std::int64_t good_left() const { return search_.good - found_; }
  [[nodiscard]] GoodLeft bound() const { return inkling::good_left(draws_, unrated(), found_); }
  [[nodiscard]] const Draws& draws() const { return draws_; }
  [[nodiscard]] std::int64_t unrated() const { return static_cast<std::int64_t>(offered_.size() + waiting_.size()); }
  [[nodiscard]] std::int64_t found() const { return found_; }

  void round() {
    if (offered_.empty() || (waiting_.size() > 8 && random_.coin(0.5))) bring_back();
    const bool is_drawn = random_.coin(search_.draw_share);
    const std::size_t at = is_drawn ? random_.below(offered_.size()) : chosen();
    const std::int64_t document = offered_[at];
    if (is_drawn) draws_.push_back({static_cast<std::int64_t>(offered_.size()), unrated(), found_, {}});
    offered_.erase(offered_.begin() + static_cast<std::ptrdiff_t>(at));
    if (random_.coin(is_drawn ? search_.unrated_share : search_.skip_share)) {
      waiting_.push_back(document);
      return;
    }
    const bool good = is_good_[static_cast<std::size_t>(document)];
    found_ += good ? 1 : 0;
    if (is_drawn) draws_.back().good = good;
  }

 private:
  void bring_back() {
    offered_.insert(offered_.end(), waiting_.begin(), waiting_.end());
    waiting_.clear();
  }

  std::size_t chosen() {
    if (!random_.coin(search_.sight)) return random_.below(offered_.size());
    const auto good =
        std::ranges::find_if(offered_, [this](std::int64_t document) { return is_good_[static_cast<std::size_t>(document)]; });
    return good == offered_.end() ? 0 : static_cast<std::size_t>(good - offered_.begin());
  }

  Search search_;
  RandomStream& random_;
  std::vector<bool> is_good_;
  std::vector<std::int64_t> offered_;
  std::vector<std::int64_t> waiting_;
  Draws draws_;
  std::int64_t found_ = 0;
};

Search random_search(RandomStream& random, std::int64_t most) {
  const std::int64_t documents = 5 + number_below(most - 4, random);
  return {.documents = documents,
          .good = number_below(documents + 1, random),
          .draw_share = 0.1 + 0.9 * random.uniform(),
          .sight = random.uniform(),
          .skip_share = random.coin(0.5) ? 0.0 : 0.4 * random.uniform(),
          .unrated_share = random.coin(0.5) ? 0.0 : 0.4 * random.uniform()};
}

TEST_CASE("the bound on good documents left equals the plain test of every number") {
  RandomStream random(31, 0, RandomRole::pool);
  int compared = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    SimulatedSearch search(random_search(random, 40), random);
    for (std::int64_t rounds = number_below(40, random); rounds > 0 && !search.ended(); --rounds) search.round();
    const double confidence = random.coin(0.5) ? 0.95 : 0.5 + 0.49 * random.uniform();
    const PlainBound plain = plain_bound(search.draws(), search.unrated(), search.found(), confidence);
    if (plain.is_close) continue;
    ++compared;
    CAPTURE(trial);
    const GoodLeft left = good_left(search.draws(), search.unrated(), search.found(), confidence);
    REQUIRE(left.at_most == plain.at_most);
    REQUIRE(left.about >= 0.0);
    REQUIRE(left.about <= static_cast<double>(left.at_most));
    REQUIRE(left.confidence == confidence);
  }
  CHECK(compared > 2900);
}

// The shares of searches in which more good documents were left than the bound says: at any moment, and at a random one.
struct Misses {
  double ever = 0.0;
  double at_random = 0.0;
};

Misses misses_of(const Search& kind, int runs, RandomStream& random) {
  Misses misses;
  for (int run = 0; run < runs; ++run) {
    SimulatedSearch search(kind, random);
    const std::int64_t stop = number_below(kind.documents, random);
    bool missed = false;
    for (std::int64_t round = 0; round < kind.documents && !search.ended(); ++round) {
      search.round();
      const bool misses_now = search.good_left() > search.bound().at_most;
      missed = missed || misses_now;
      if (round == stop && misses_now) misses.at_random += 1.0 / runs;
    }
    if (missed) misses.ever += 1.0 / runs;
  }
  return misses;
}

TEST_CASE("more good documents are left than the bound says in at most 5 % of searches, at the worst moment of each") {
  constexpr int runs = 2000;
  const double most = 0.05 + 3.0 * std::sqrt(0.05 * 0.95 / runs);
  const Search kinds[] = {
      {.documents = 60, .good = 6, .draw_share = 1.0},
      {.documents = 60, .good = 30, .draw_share = 1.0},
      {.documents = 60, .good = 20, .draw_share = 0.3, .sight = 0.9},
      {.documents = 60, .good = 5, .draw_share = 0.5, .sight = 0.0},
      {.documents = 50, .good = 20, .draw_share = 0.5, .sight = 0.2, .skip_share = 0.3, .unrated_share = 0.3}};
  RandomStream random(32, 0, RandomRole::pool);
  for (const Search& kind : kinds) {
    CAPTURE(kind.good);
    CAPTURE(kind.draw_share);
    const Misses misses = misses_of(kind, runs, random);
    CHECK(misses.ever <= most);
    CHECK(misses.at_random <= misses.ever);
  }
}

Draws equal_draws(std::int64_t count, std::int64_t good, std::int64_t among) {
  Draws draws;
  for (std::int64_t n = 0; n < count; ++n)
    draws.push_back({.among = among, .unrated = among, .good_before = 0, .good = n < good});
  return draws;
}

TEST_CASE("59 random documents of which none is good leave a share of about 5 %") {
  const GoodLeft left = good_left(equal_draws(59, 0, 1'000'000), 1'000'000, 0);
  CHECK(left.at_most > 50'000);
  CHECK(left.at_most < 56'000);
  CHECK(left.about == 0.0);
  CHECK(left.draws == 59);
}

TEST_CASE("with a few good ones among the draws the bound is at most twice that of an interval for one moment") {
  struct Case {
    std::int64_t draws, good;
    double one_moment;  // the exact bound of 95 % for a number of draws fixed in advance (Clopper and Pearson)
  };
  const Case cases[] = {{59, 1, 0.0779}, {59, 3, 0.1264}, {30, 3, 0.2386}, {200, 10, 0.0832}, {2000, 400, 0.2155}};
  for (const Case& few : cases) {
    CAPTURE(few.draws);
    const GoodLeft left = good_left(equal_draws(few.draws, few.good, 1'000'000), 1'000'000, 0);
    CHECK(static_cast<double>(left.at_most) > 1e6 * few.one_moment);
    CHECK(static_cast<double>(left.at_most) < 2e6 * few.one_moment);
    CHECK(left.about == doctest::Approx(1e6 * static_cast<double>(few.good) / static_cast<double>(few.draws)));
  }
}

TEST_CASE("without a random draw every unrated document may be good") {
  CHECK(good_left({}, 40, 3).at_most == 40);
  CHECK(good_left({}, 40, 3).about == 40.0);
  CHECK(good_left({}, 40, 3).draws == 0);
  CHECK(good_left({}, 0, 3).at_most == 0);
}

TEST_CASE("nothing is left if all documents are rated and all are good if all drawn ones were") {
  CHECK(good_left(equal_draws(20, 0, 20), 0, 0).at_most == 0);
  CHECK(good_left(equal_draws(20, 0, 20), 0, 0).about == 0.0);
  CHECK(good_left(equal_draws(30, 30, 50), 20, 30).at_most == 20);
  CHECK(good_left(equal_draws(30, 30, 50), 20, 30).about == doctest::Approx(20.0));
}

TEST_CASE("unrated draws count as good for the bound and not at all for the estimate") {
  Draws unknown = equal_draws(59, 1, 1000);
  unknown[0].good = std::nullopt;
  const GoodLeft left = good_left(unknown, 1000, 0);
  CHECK(left.at_most == good_left(equal_draws(59, 1, 1000), 1000, 0).at_most);
  CHECK(left.about == 0.0);
  CHECK(left.draws == 58);
}

TEST_CASE("documents that could not be drawn may all be good") {
  Draws draws = equal_draws(100, 0, 1000);
  for (RandomDraw& draw : draws) draw.unrated = 1500;
  CHECK(good_left(draws, 1500, 0).at_most == good_left(equal_draws(100, 0, 1000), 1000, 0).at_most + 500);
}

TEST_CASE("with ten thousand draws from a million documents the bound is about a tenth above the truth") {
  RandomStream random(33, 0, RandomRole::pool);
  Draws draws;
  std::int64_t found = 0;
  for (std::int64_t n = 0; n < 10'000; ++n) {
    const bool good = random.coin(0.1);
    draws.push_back({.among = 1'000'000 - n, .unrated = 1'000'000 - n, .good_before = found, .good = good});
    found += good ? 1 : 0;
  }
  const GoodLeft left = good_left(draws, 990'000, found);
  CHECK(left.at_most < 115'000);
  CHECK(left.at_most > 98'000);
}

TEST_CASE("the price of a bound is the fewest further draws without a good one that reach it") {
  RandomStream random(34, 0, RandomRole::pool);
  for (int n = 0; n < 150; ++n) {
    SimulatedSearch search(random_search(random, 90), random);
    for (std::int64_t rounds = number_below(60, random); rounds > 0 && !search.ended(); --rounds) search.round();
    const std::int64_t unrated = search.unrated();
    const std::int64_t wanted = number_below(unrated + 5, random);
    const BoundPrice price = price_of_bound(wanted, search.draws(), unrated, search.found());
    Draws draws = search.draws();
    std::int64_t more = 0;
    while (good_left(draws, unrated - more, search.found()).at_most > wanted) {
      draws.push_back({unrated - more, unrated - more, search.found(), false});
      ++more;
    }
    CHECK(price == BoundPrice{wanted, more});
  }
  CHECK(price_of_bound(300, {}, 10'000, 5).draws < price_of_bound(20, {}, 10'000, 5).draws);
  CHECK(price_of_bound(0, {}, 0, 5).draws == 0);
}

}  // namespace
}  // namespace inkling
