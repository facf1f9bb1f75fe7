#include <doctest/doctest.h>

#include "bench/paper/bound_theory.hpp"

namespace inkling::bench {
namespace {

BoundSetting setting(double rounds, double relevant, double discovery) {
  return {.rounds = rounds, .relevant = relevant, .discovery = discovery, .confidence = {0.5, 1.0, 0.1}};
}

TEST_CASE("the terms of Theorem 2 are those computed by hand") {
  // T = 4, k = 1, p = 1/2: M = 1, ln 60 = 4.0943446, ln 30 = 3.4011974, ln 2 = 0.6931472.
  const RegretBound bound = regret_bound(setting(4.0, 1.0, 0.5));
  CHECK(bound.finding == doctest::Approx(8.0 / 4.0943446 * (3.4011974 / 0.6931472) * (3.4011974 / 0.6931472)));
  CHECK(bound.exploring == doctest::Approx(3.0 * 2.0 * 2.0234487));  // sqrt(4 ln 60)
  // 4 sqrt(2 ln 5) (1 + 0.5 sqrt(2 ln 30 + ln 3)) with ln 5 = 1.6094379 and ln 3 = 1.0986123.
  CHECK(bound.optimism == doctest::Approx(4.0 * 1.7941226 * (1.0 + 0.5 * 2.8108727)));
  CHECK(bound.total() == doctest::Approx(bound.finding + bound.exploring + bound.optimism));
}

TEST_CASE("the terms of Theorem 2 agree with another program at larger settings") {
  const RegretBound usual = regret_bound(setting(4096.0, 5.0, 0.018));
  CHECK(usual.finding == doctest::Approx(93769.032794289));
  CHECK(usual.exploring == doctest::Approx(5381.349407226922));
  CHECK(usual.optimism == doctest::Approx(48765.14457990133));
  const RegretBound other =
      regret_bound({.rounds = 1024.0, .relevant = 10.0, .discovery = 0.1, .confidence = {0.25, 2.0, 0.05}, .ridge = 4.0});
  CHECK(other.finding == doctest::Approx(8444.201446670231));
  CHECK(other.exploring == doctest::Approx(4566.864479751071));
  CHECK(other.optimism == doctest::Approx(30929.432408073946));
}

TEST_CASE("the bound is below the worst case from some horizon on") {
  const std::optional<int> power = first_power_below_worst(setting(0.0, 5.0, 0.5));
  REQUIRE(power);
  BoundSetting at = setting(0.0, 5.0, 0.5);
  at.rounds = static_cast<double>(std::int64_t{1} << static_cast<unsigned>(*power));
  CHECK(regret_bound(at).total() < worst_regret(at));
  at.rounds /= 2.0;
  CHECK(regret_bound(at).total() >= worst_regret(at));
  CHECK_FALSE(first_power_below_worst(setting(0.0, 5.0, 1e-12)));
}

TEST_CASE("rarer marks and more words make the bound larger") {
  const double usual = regret_bound(setting(1024.0, 5.0, 0.1)).total();
  CHECK(regret_bound(setting(1024.0, 5.0, 0.05)).total() > usual);
  CHECK(regret_bound(setting(1024.0, 10.0, 0.1)).total() > usual);
  CHECK(regret_bound(setting(1024.0, 5.0, 1.0)).finding == 0.0);  // every play finds every word
}

}  // namespace
}  // namespace inkling::bench
