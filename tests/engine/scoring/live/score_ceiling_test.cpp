#include "engine/scoring/live/score_ceiling.hpp"

#include <limits>

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("an empty ceiling is below everything") {
  CHECK(ScoreCeiling(1.0).at_most(5.0) == -std::numeric_limits<double>::infinity());
}

TEST_CASE("a ceiling rises with the reach as fast as the widest below it and never falls") {
  ScoreCeiling ceiling(2.0);
  ceiling.include(10.0, 0.5);
  ceiling.include(4.0, 3.0);
  CHECK(ceiling.at_most(2.0) == 10.0);
  CHECK(ceiling.at_most(4.0) == 16.0);
  CHECK(ceiling.at_most(1.0) == 10.0);

  ScoreCeiling other(2.0);
  other.include(11.0, 0.1);
  ceiling.include(other);
  CHECK(ceiling.at_most(3.0) == 14.0);
}

TEST_CASE("a ceiling covers a document that is below it at every larger reach") {
  ScoreCeiling ceiling(1.0);
  ceiling.include(5.0, 1.0);
  CHECK(ceiling.cover({3.0, 1.0}, 2.0));        // 5 at a ceiling of 6
  CHECK_FALSE(ceiling.cover({3.0, 1.5}, 2.0));  // rises faster
  CHECK_FALSE(ceiling.cover({4.5, 1.0}, 2.0));  // 6.5
}

TEST_CASE("a ceiling stays above a document that it covers where the reach becomes shorter again") {
  ScoreCeiling ceiling(1.0);
  ceiling.include(5.0, 1.0);
  const Standing flat{8.0, 0.1};
  CHECK_FALSE(ceiling.cover(flat, 4.0));  // 8.4 under 8
  CHECK(ceiling.at_most(1.0) == 5.0);
  CHECK(ceiling.cover(flat, 5.0));  // 8.5 under 9
  const Standing steep{4.5, 1.0};
  CHECK_FALSE(ceiling.cover(steep, 2.0));  // 6.5 there, but 9.5 at 5
  for (const double reach : {0.5, 1.0, 3.0, 5.0, 9.0}) CHECK(ceiling.at_most(reach) >= flat.at_most(reach));
}

}  // namespace
}  // namespace inkling
