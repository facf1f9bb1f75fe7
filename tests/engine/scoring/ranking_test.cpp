#include "engine/scoring/ranking.hpp"

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("the higher score ranks first and ties go to the lower row") {
  CHECK(ranks_before({5, 2.0}, {1, 1.0}));
  CHECK_FALSE(ranks_before({1, 1.0}, {5, 2.0}));
  CHECK(ranks_before({1, 2.0}, {5, 2.0}));
  CHECK_FALSE(ranks_before({5, 2.0}, {1, 2.0}));
  CHECK_FALSE(ranks_before({1, 2.0}, {1, 2.0}));
}

TEST_CASE("the first of the blocks is the best of them and blocks without a document do not count") {
  const std::vector<Ranked> blocks = {{}, {3, -5.0}, {}, {9, 1.0}, {12, 1.0}};
  CHECK(first_ranked(blocks).document == 9);
  CHECK(first_ranked({}).document == kNoDocument);
  CHECK(first_ranked(std::vector<Ranked>(2)).document == kNoDocument);
}

TEST_CASE("a document of the lowest possible score still ranks before no document") {
  const std::vector<Ranked> blocks = {{}, {4, -std::numeric_limits<double>::infinity()}};
  CHECK(first_ranked(blocks).document == 4);
}

}  // namespace
}  // namespace inkling
