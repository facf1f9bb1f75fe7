#include "io/search/stopping/good_left.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <numeric>
#include <vector>

// The bound, and why it holds at all times at once.
//
// G is the unknown number of good documents in the pool: found ones and others, whether they are ever rated or not.
// Before draw i, F of them were rated. Of the other G - F, at most W cannot be drawn: W is the number of unrated documents
// that wait because they were skipped. So at least G - F - W good ones are among the n documents of the draw. Whatever
// happened before, the draw is good with a probability P of at least p(G) = (G - F - W) / n, or 0 if that is negative.
//
// To test a guess g for G, a bettor bets against it, with a capital of 1, that draws are good less often than g says. At
// each draw the bettor's wealth is multiplied by q / p(g) if the draw is good and by (1 - q) / (1 - p(g)) if it is not,
// with q = r p(g) for a fixed 0 <= r < 1. If g = G, the wealth is not expected to grow:
//
//   P r + (1 - P) (1 - r p) / (1 - p)  is 1 for P = p and falls as P grows, because r <= 1 <= (1 - r p) / (1 - p).
//
// This holds given all that happened before, however the documents between the draws were chosen. So the wealth is a
// nonnegative supermartingale that starts at 1, and so is the average of several bettors' wealth with fixed weights. By
// Ville's inequality, the chance that it ever reaches 1 / alpha is at most alpha. Hence, with probability 1 - alpha, the
// bettors against the true G never have that much. The guesses whose bettors have it are refuted, and the largest of all
// other guesses is a bound that holds at all times at once.
//
// A draw that was not rated counts as good. That multiplies by r instead of by something larger, so the wealth is at most
// what it would be if the rating were known: fewer guesses are refuted, and the bound still holds.
//
// The bettor with r = 0 loses everything at the first good draw, but refutes a guess faster than all others until then: 59
// documents of which none is good refute a share of 1 - 0.05^(1/59) = 5 %. This bettor begins with most of the money, so all
// bettors together refute 5.6 % then. The others matter once good documents are drawn.
//
// For every r the wealth grows with g: factors of good draws do not depend on g, and (1 - r p) / (1 - p) =
// 1 + (1 - r) p / (1 - p) grows with p. So guesses are refuted from some number on, which halving finds; the same is
// true of the rounded numbers, because rounding keeps their order in each step. Factors of bad draws are at least 1, and the
// factors of good draws are multiplied first. So the wealth only grows from then on, and the test may end once it is enough.

namespace inkling {
namespace {

constexpr std::array kBets = {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.975, 0.99};
constexpr double kMoneyOnNone = 0.6;
constexpr double kMoneyOnOther = (1.0 - kMoneyOnNone) / (kBets.size() - 1);

// A draw that was not good, and how many good documents at most it could not draw: those rated before, and those that waited.
struct BadDraw {
  std::int64_t among;
  std::int64_t outside;
};

class GuessTest {
 public:
  GuessTest(std::span<const RandomDraw> draws, double confidence) : enough_(1.0 / (1.0 - confidence)) {
    wealth_.fill(kMoneyOnOther);
    wealth_[0] = kMoneyOnNone;
    bad_.reserve(draws.size());
    for (const RandomDraw& draw : draws) {
      assert(draw.among >= 1);
      if (draw.good.value_or(true)) {
        for (std::size_t bet = 0; bet < kBets.size(); ++bet) wealth_[bet] *= kBets[bet];
      } else {
        const std::int64_t waiting = std::max<std::int64_t>(0, draw.unrated - draw.among);
        bad_.push_back({draw.among, draw.good_before + waiting});
      }
    }
  }

  /// Whether the draws refute that the pool has `guess` good documents. If they do, they also refute any larger number.
  [[nodiscard]] bool refutes(std::int64_t guess) const {
    Wealth wealth = wealth_;
    return std::ranges::any_of(bad_, [&](const BadDraw& draw) { return wins(wealth, guess, draw); });
  }

  /// How many more bad draws refute the guess, each among one document fewer than the one before; at most `unrated`.
  [[nodiscard]] std::int64_t more_to_refute(std::int64_t guess, std::int64_t unrated, std::int64_t good_found) const {
    Wealth wealth = wealth_;
    if (std::ranges::any_of(bad_, [&](const BadDraw& draw) { return wins(wealth, guess, draw); })) return 0;
    std::int64_t more = 0;
    while (more < unrated) {
      const std::int64_t among = unrated - more;
      ++more;
      if (wins(wealth, guess, {among, good_found})) break;
    }
    return more;
  }

 private:
  using Wealth = std::array<double, kBets.size()>;

  /// Multiplies the wealth by the factors of this draw; returns whether it is enough to refute the guess.
  [[nodiscard]] bool wins(Wealth& wealth, std::int64_t guess, const BadDraw& draw) const {
    const std::int64_t good = guess - draw.outside;
    if (good <= 0) return false;
    if (good >= draw.among) return true;  // all would have been good
    const double odds = static_cast<double>(good) / static_cast<double>(draw.among - good);
    for (std::size_t bet = 0; bet < kBets.size(); ++bet) wealth[bet] *= 1.0 + (1.0 - kBets[bet]) * odds;
    return std::accumulate(wealth.begin(), wealth.end(), 0.0) >= enough_;
  }

  double enough_;
  Wealth wealth_{};  // before the bad draws
  std::vector<BadDraw> bad_;
};

// The largest number from `least` to `most` that the test does not refute; `least` where it refutes all.
std::int64_t largest_not_refuted(const GuessTest& test, std::int64_t least, std::int64_t most) {
  while (least < most) {
    const std::int64_t middle = most - (most - least) / 2;
    if (test.refutes(middle))
      most = middle - 1;
    else
      least = middle;
  }
  return least;
}

// The number G of good documents in the pool for which the expected number of good draws is the one that was seen. Each draw is
// taken to be good with probability (G - F) / N, as if the documents that wait were as good on average as the others.
double expected_good(std::span<const RandomDraw> draws) {
  double good = 0.0;
  double found = 0.0;
  double chances = 0.0;
  for (const RandomDraw& draw : draws) {
    if (!draw.good) continue;
    const auto unrated = static_cast<double>(std::max(draw.unrated, draw.among));
    good += *draw.good ? 1.0 : 0.0;
    found += static_cast<double>(draw.good_before) / unrated;
    chances += 1.0 / unrated;
  }
  return (good + found) / chances;
}

}  // namespace

GoodLeft good_left(std::span<const RandomDraw> draws, std::int64_t unrated, std::int64_t good_found, double confidence) {
  assert(confidence > 0.0 && confidence < 1.0 && unrated >= 0 && good_found >= 0);
  GoodLeft left;
  left.confidence = confidence;
  left.draws = std::ranges::count_if(draws, [](const RandomDraw& draw) { return draw.good.has_value(); });
  const GuessTest test(draws, confidence);
  left.at_most = largest_not_refuted(test, good_found, good_found + unrated) - good_found;
  const auto most = static_cast<double>(left.at_most);
  left.about = left.draws == 0 ? most : std::clamp(expected_good(draws) - static_cast<double>(good_found), 0.0, most);
  return left;
}

// Once only `at_most` documents are unrated, no more good ones can be left: more draws than `unrated - at_most` are never needed.
BoundPrice price_of_bound(std::int64_t at_most, std::span<const RandomDraw> draws, std::int64_t unrated, std::int64_t good_found,
                          double confidence) {
  assert(at_most >= 0 && unrated >= 0 && good_found >= 0);
  const GuessTest test(draws, confidence);
  const std::int64_t most = std::max<std::int64_t>(0, unrated - at_most);
  return {at_most, std::min(most, test.more_to_refute(good_found + at_most + 1, unrated, good_found))};
}

}  // namespace inkling
