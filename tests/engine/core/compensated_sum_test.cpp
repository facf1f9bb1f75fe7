#include "engine/core/compensated_sum.hpp"

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"

namespace inkling {
namespace {

TEST_CASE("a compensated sum keeps what a plain sum drops") {
  CompensatedSum sum;
  for (const double term : {1.0, 1e100, 1.0, -1e100}) sum.add(term);
  CHECK(sum.value() == 2.0);
}

TEST_CASE("a compensated sum starts at the given value") {
  CompensatedSum sum(3.5);
  sum.add(0.25);
  CHECK(sum.value() == 3.75);
  CHECK(CompensatedSum().value() == 0.0);
}

TEST_CASE("a compensated sum of a million terms errs by one rounding") {
  RandomStream random(7, 0, RandomRole::pool);
  CompensatedSum sum;
  long double exact = 0.0L;
  for (int n = 0; n < 1'000'000; ++n) {
    const double term = random.normal() * 1e3 + 0.1;
    sum.add(term);
    exact += static_cast<long double>(term);
  }
  CHECK(std::fabs(sum.value() - static_cast<double>(exact)) <= 1e-11);
}

}  // namespace
}  // namespace inkling
