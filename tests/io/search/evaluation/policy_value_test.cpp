#include "io/search/evaluation/policy_value.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("estimates of a log computed by hand") {
  // w = 2, 0, 1: w r = 2, 0, 0.5
  const std::vector<WeighedRound> rounds = {{0.5, 1.0, 1.0}, {0.5, 0.0, 1.0}, {1.0, 1.0, 0.5}};
  const PolicyValue value = policy_value(rounds, 0.9);
  CHECK(value.logged == doctest::Approx(2.5 / 3));
  CHECK(value.effective == doctest::Approx(9.0 / 5));
  CHECK(value.largest_weight == 2.0);
  CHECK(value.ips.value.value() == doctest::Approx(2.5 / 3));
  CHECK(value.snips.value.value() == doctest::Approx(2.5 / 3));
  // q = 0, then the mean of the rewards before: 2 + (1 + 0 * 0) + (1 + (0.5 - 1))
  CHECK(value.doubly_robust.value.value() == doctest::Approx(3.5 / 3));
  CHECK_FALSE(value.ips.interval);  // fewer than 10 effective rounds
}

TEST_CASE("a policy that would have chosen no document of the log has no self-normalised estimate") {
  const PolicyValue value = policy_value(std::vector<WeighedRound>(50, WeighedRound{0.5, 0.0, 1.0}), 0.9);
  CHECK(value.ips.value == 0.0);
  CHECK_FALSE(value.snips.value);
  CHECK(value.effective == 0.0);
}

TEST_CASE("a policy that chooses as the log does has its mean, in an interval that narrows") {
  std::vector<WeighedRound> rounds;
  double width = 1.0;
  for (int count = 100; count <= 10'000; count *= 10) {
    while (static_cast<int>(rounds.size()) < count) rounds.push_back({0.25, 0.25, rounds.size() % 2 == 0 ? 1.0 : 0.0});
    const ValueEstimate snips = policy_value(rounds, 0.9).snips;
    CHECK(snips.value == 0.5);
    CHECK(snips.interval->high - snips.interval->low < 0.4 * width);
    width = snips.interval->high - snips.interval->low;
  }
}

TEST_CASE("where nothing is drawn that is rare, the weighed rewards are as sure as the rewards, and else by what is expected") {
  const auto reach_of = [](double square) {
    const std::vector<WeighedRound> rounds(100, {0.5, 0.5, 1.0, 1.0, 1.0, square});
    const Interval ips = policy_value(rounds, 0.9).ips.interval.value();
    return 0.5 * (ips.high - ips.low);
  };
  CHECK(reach_of(1.0) < 1e-9);
  // All terms are 1, but draws of three times the square may be missing: 99 rounds whose choice is known to be worth 1.
  CHECK(reach_of(3.0) == doctest::Approx(1.693 * std::sqrt(2.0 * 99.0) / 100.0).epsilon(0.01));
}

}  // namespace
}  // namespace inkling
