#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "bench/rivals/projected_learner.hpp"
#include "engine/core/errors.hpp"
#include "tests/support/test_pool.hpp"

namespace inkling::bench {
namespace {

constexpr std::uint64_t kProjectionSeed = 841;

TEST_CASE("documents are projected as by hand and an empty one stays empty") {
  const CsrMatrix documents = test::matrix_of(3, {{{0, 2.0F}, {2, 1.0F}}, {}, {{1, -1.0F}}});
  const Projection projection(2, {1.0, 0.5, 3.0, 0.0, -1.0, 4.0});
  const CsrMatrix projected = projection.project(documents.view());
  REQUIRE(projected.view().rows() == 3);
  CHECK(projected.view().columns() == 2);
  CHECK(value_at(projected.view().row(0), 0) == 1.0);
  CHECK(value_at(projected.view().row(0), 1) == 5.0);
  CHECK(projected.view().row(1).empty());
  CHECK(value_at(projected.view().row(2), 0) == -3.0);
  CHECK(projected.view().row(2).size() == 2);  // a zero is written as any other number
  CHECK(projection.row(2)[1] == 4.0);
}

TEST_CASE("a Gaussian projection is that of its seed and keeps squared lengths on average") {
  constexpr std::int32_t features = 400;
  constexpr std::int32_t dimensions = 50;
  const Projection one = Projection::gaussian(features, dimensions, kProjectionSeed);
  const Projection again = Projection::gaussian(features, dimensions, kProjectionSeed);
  const Projection other = Projection::gaussian(features, dimensions, kProjectionSeed + 1);
  CHECK(std::ranges::equal(one.row(17), again.row(17)));
  CHECK_FALSE(std::ranges::equal(one.row(17), other.row(17)));
  double sum = 0.0;
  double squares = 0.0;
  for (FeatureId feature = 0; feature < features; ++feature) {
    for (const double entry : one.row(feature)) {
      sum += entry;
      squares += entry * entry;
    }
  }
  // Means of 20,000 draws from N(0, 1/50): five standard deviations.
  CHECK(std::fabs(sum / (features * dimensions)) <= 5.0 * std::sqrt(1.0 / 50.0 / 20'000.0));
  CHECK(std::fabs(squares / features - 1.0) <= 5.0 * std::sqrt(2.0 / 20'000.0));
}

TEST_CASE("no projection has less than one dimension or more than there is room for") {
  for (const std::int32_t dimensions : {0, -3, kMostDimensions + 1}) {
    CHECK_THROWS_AS((void)Projection::gaussian(5, dimensions, 1), FormatError);
  }
}

TEST_CASE("a document that projects beyond the floats is refused") {
  const CsrMatrix documents = test::matrix_of(1, {{{0, 3e38F}}});
  CHECK_THROWS_AS((void)Projection(1, {10.0}).project(documents.view()), FormatError);
}

}  // namespace
}  // namespace inkling::bench
