#include "engine/scoring/live/score_ceiling.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

constexpr std::uint64_t kScoreCeilingSeed = 20'261'123;

/// Requires: the width is a float.
void include(ScoreCeiling& ceiling, double reach, const ReachLine& line) {
  ceiling.include(rounded_up(line.at_most(reach)), WidthSteps::of(static_cast<float>(line.width)));
}

TEST_CASE("an empty ceiling is below everything") {
  CHECK(ScoreCeiling(1.0).at_most(5.0) == -std::numeric_limits<double>::infinity());
  ScoreCeiling ceiling(1.0);
  ceiling.include(-std::numeric_limits<float>::infinity(), 0);
  ceiling.include(std::numeric_limits<float>::quiet_NaN(), 0);
  CHECK(ceiling.at_most(5.0) == -std::numeric_limits<double>::infinity());
}

TEST_CASE("the ceiling of one document is its bound at the reach of the ceiling and little more at others") {
  ScoreCeiling ceiling(2.0);
  const ReachLine line{1.0, 0.75};
  include(ceiling, 2.0, line);
  CHECK(ceiling.at_most(2.0) == doctest::Approx(line.at_most(2.0)).epsilon(1e-6));
  for (const double reach : {0.0, 1.0, 7.0}) {
    CHECK(ceiling.at_most(reach) >= line.at_most(reach));
    CHECK(ceiling.at_most(reach) <= line.at_most(reach) + 0.25 * line.width * std::fabs(reach - 2.0) + 1e-6);
  }
}

TEST_CASE("a wide document with a low bound does not raise the ceiling of a narrow one with a high bound") {
  ScoreCeiling ceiling(1.0);
  include(ceiling, 1.0, {10.0, 0.01});
  include(ceiling, 1.0, {-50.0, 4.0});
  CHECK(ceiling.at_most(2.0) == doctest::Approx(10.02).epsilon(0.001));
  CHECK(ceiling.at_most(101.0) >= 354.0);
  CHECK(ceiling.at_most(101.0) <= 454.01);
}

TEST_CASE("no document is above the joined ceiling of two parts in 1000 random lists") {
  RandomStream random = test::stream_for(kScoreCeilingSeed);
  for (int list = 0; list < 1000; ++list) {
    const double own = 3.0 * random.uniform();
    ScoreCeiling all(own);
    ScoreCeiling others(own);
    std::vector<ReachLine> lines;
    for (int n = 0; n < 20; ++n) {
      const double width = std::exp2(test::between(-40, 20, random)) * random.uniform();
      lines.push_back({random.normal(), static_cast<double>(static_cast<float>(width))});
      include(n % 2 == 0 ? all : others, own, lines.back());
    }
    all.include(others);
    for (const double reach : {0.0, 0.5 * own, own, 2.0 * own, 10.0}) {
      double highest = -std::numeric_limits<double>::infinity();
      double size = 0.0;  // of the terms, which bounds the rounding
      for (const ReachLine& line : lines) {
        highest = std::max(highest, line.at_most(reach));
        size = std::max(size, std::fabs(line.mean) + (own + reach) * line.width);
      }
      CHECK(all.at_most(reach) >= highest - 1e-14 * size);
      if (reach == own) CHECK(all.at_most(reach) <= highest + 1e-6 * std::fabs(highest) + 1e-37);
    }
  }
}

}  // namespace
}  // namespace inkling
