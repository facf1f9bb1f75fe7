#include <cmath>

#include <doctest/doctest.h>

#include "bench/worlds/world.hpp"
#include "engine/core/errors.hpp"
#include "tests/bench/worlds/rated_pools.hpp"

namespace inkling::bench {
namespace {

TEST_CASE("relevant features lie within the band and rewards are the same for the same seed") {
  const test::SmallRatedPool small;
  CHECK(small.rated.relevant.size() == 12);
  for (const FeatureId feature : small.rated.relevant) {
    const auto frequency = static_cast<double>(small.pool.view().by_feature.row(feature).size());
    CHECK(frequency >= 0.01 * 400);
    CHECK(frequency <= 0.3 * 400);
  }
  CHECK(small.rated.marks.markable() == small.rated.relevant);
  CHECK(test::SmallRatedPool().rated.rewards.expected() == small.rated.rewards.expected());
}

TEST_CASE("a document without a relevant feature has a reward of noise alone") {
  const test::SmallRatedPool small;
  std::int64_t without = 0;
  double squares = 0.0;
  for (DocumentId i = 0; i < 400; ++i) {
    double weight = 0.0;
    for (const FeatureId feature : small.rated.relevant)
      weight += static_cast<double>(value_at(small.pool.view().by_document.row(i), feature));
    if (weight > 0.0) continue;
    ++without;
    squares += small.rated.rewards.expected(i) * small.rated.rewards.expected(i);
  }
  REQUIRE(without > 20);
  CHECK(std::sqrt(squares / static_cast<double>(without)) == doctest::Approx(0.1).epsilon(0.4));
}

TEST_CASE("more relevant features than the band holds are refused by name") {
  const test::SmallRatedPool small;
  CHECK_THROWS_WITH_AS(static_cast<void>(rate_pool(small.pool.view(), {.relevant = 300})),
                       doctest::Contains("the number of relevant features"), FormatError);
}

}  // namespace
}  // namespace inkling::bench
