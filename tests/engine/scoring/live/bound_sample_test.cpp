#include <limits>

#include <doctest/doctest.h>

#include "engine/scoring/live/score_ceiling.hpp"

namespace inkling {
namespace {

TEST_CASE("a threshold is reached by about as many bounds as are wanted") {
  BoundSample sample(1);
  for (int n = 0; n < 10'000; ++n) sample.consider((n * 7919) % 10'000);
  CHECK(sample.threshold(1000) == doctest::Approx(9000).epsilon(0.02));
}

TEST_CASE("a bound counts for as many documents as the sample is told") {
  BoundSample sample(10);
  for (int n = 0; n < 1000; ++n) sample.consider((n * 7919) % 1000);
  CHECK(sample.threshold(1000) == doctest::Approx(900).epsilon(0.03));
}

TEST_CASE("every bound reaches the threshold where not many more are there than wanted") {
  BoundSample sample(1);
  CHECK(sample.threshold(10) == -std::numeric_limits<double>::infinity());
  for (int n = 0; n < 15; ++n) sample.consider(n);
  CHECK(sample.threshold(10) == -std::numeric_limits<double>::infinity());
  sample.consider(15);
  CHECK(sample.threshold(10) == 5.0);
}

}  // namespace
}  // namespace inkling
