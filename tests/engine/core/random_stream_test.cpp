#include "engine/core/random_stream.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/engine/ulps.hpp"

namespace inkling {
namespace {

RandomStream some_stream() { return {42, 0, RandomRole::pool}; }

/// Sum of (seen - expected)^2 / expected over equally likely cells.
double chi_square(const std::vector<int>& seen, double expected) {
  double sum = 0.0;
  for (const int count : seen) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

// The frozen numbers come from a Python program of its own, not from this engine.

TEST_CASE("a random stream gives the frozen bits of its seed and trial and role") {
  RandomStream rewards(1, 2, RandomRole::reward);
  CHECK(rewards.next() == 0x2b1e31e38ff665efU);
  CHECK(rewards.next() == 0x9f4bc2f6e0dea025U);
  CHECK(rewards.next() == 0x5a36c16bb748244U);
  CHECK(rewards.next() == 0x58231753b78117f3U);
  RandomStream zeros(0, 0, RandomRole::pool);
  CHECK(zeros.next() == 0x49f43fbc73879872U);
  CHECK(zeros.next() == 0xc5990b117f374690U);
}

TEST_CASE("a random stream gives the frozen bounded draws") {
  RandomStream small(1, 2, RandomRole::exploration);
  constexpr std::array<std::uint64_t, 12> digits = {4, 5, 1, 5, 1, 7, 7, 6, 7, 5, 4, 4};
  for (const std::uint64_t digit : digits) CHECK(small.below(10) == digit);
  // Just above 2^63 nearly half of all draws are rejected.
  RandomStream large(1, 2, RandomRole::exploration);
  CHECK(large.below((std::uint64_t{1} << 63U) + 1) == 4900155131313491176U);
  CHECK(large.below((std::uint64_t{1} << 63U) + 1) == 6494760990546446400U);
}

TEST_CASE("a random stream gives the frozen uniform and normal draws") {
  RandomStream uniforms(1, 2, RandomRole::exploration);
  CHECK(uniforms.uniform() == 0x1.a08e2ba0d20f2p-2);
  CHECK(uniforms.uniform() == 0x1.289df5a67295dp-1);
  RandomStream normals(1, 2, RandomRole::sampling);
  constexpr std::array<double, 4> expected = {0x1.f909ffdba9834p-1, 0x1.0cdcbba0d185ap-2, -0x1.fd7db1bb4347ap-3,
                                              0x1.d362b864f1915p-2};
  for (const double value : expected) CHECK(test::ulps_between(normals.normal(), value) <= 2);
}

TEST_CASE("streams of another seed or trial or role start apart") {
  const std::uint64_t first = RandomStream(1, 2, RandomRole::pool).next();
  CHECK(first != RandomStream(2, 1, RandomRole::pool).next());
  CHECK(first != RandomStream(1, 3, RandomRole::pool).next());
  CHECK(first != RandomStream(1, 2, RandomRole::target).next());
}

TEST_CASE("bounded draws are uniform by a chi square test") {
  // Each limit is the 1 - 1e-6 quantile of chi square with bound - 1 degrees of freedom.
  struct Case {
    std::uint64_t bound;
    double limit;
  };
  for (const Case& c : {Case{2, 23.93}, Case{3, 27.63}, Case{10, 44.81}, Case{97, 173.2}}) {
    CAPTURE(c.bound);
    RandomStream random = some_stream();
    std::vector<int> seen(c.bound, 0);
    const int draws = 1000 * static_cast<int>(c.bound);
    for (int n = 0; n < draws; ++n) ++seen.at(random.below(c.bound));
    CHECK(chi_square(seen, 1000.0) < c.limit);
  }
}

struct SomeStream {
  RandomStream random = some_stream();
};

TEST_CASE_FIXTURE(SomeStream, "a draw below one is zero, and it and a coin cost one draw, whatever the probability") {
  RandomStream other = some_stream();
  CHECK(random.below(1) == 0);
  (void)other.next();
  CHECK(random.next() == other.next());

  for (const double probability : {0.0, 0.3, 1.0}) {
    CAPTURE(probability);
    RandomStream tossed = some_stream();
    RandomStream drawn = some_stream();
    (void)tossed.coin(probability);
    (void)drawn.next();
    CHECK(tossed.next() == drawn.next());
  }
}

TEST_CASE_FIXTURE(SomeStream, "a coin of probability zero never lands and of one always does") {
  for (int n = 0; n < 1000; ++n) {
    CHECK_FALSE(random.coin(0.0));
    CHECK(random.coin(1.0));
  }
}

TEST_CASE_FIXTURE(SomeStream, "a coin lands as often as its probability says") {
  int heads = 0;
  for (int n = 0; n < 100'000; ++n) heads += random.coin(0.3) ? 1 : 0;
  CHECK(heads == doctest::Approx(30'000).epsilon(0.025));
}

TEST_CASE_FIXTURE(SomeStream, "uniform draws stay in the half open unit interval") {
  double sum = 0.0;
  for (int n = 0; n < 100'000; ++n) {
    const double draw = random.uniform();
    REQUIRE((draw >= 0.0 && draw < 1.0));
    sum += draw;
  }
  CHECK(sum / 100'000 == doctest::Approx(0.5).epsilon(0.01));
}

TEST_CASE_FIXTURE(SomeStream, "normal draws have the moments of the standard normal") {
  constexpr int draws = 200'000;
  std::array<double, 4> moments = {};
  for (int n = 0; n < draws; ++n) {
    const double z = random.normal();
    double power = 1.0;
    for (double& moment : moments) moment += (power *= z) / draws;
  }
  CHECK(std::fabs(moments[0]) < 0.01);
  CHECK(std::fabs(moments[1] - 1.0) < 0.015);
  CHECK(std::fabs(moments[2]) < 0.04);
  CHECK(std::fabs(moments[3] - 3.0) < 0.12);
}

TEST_CASE_FIXTURE(SomeStream, "a normal draw costs exactly one draw") {
  RandomStream other = some_stream();
  (void)random.normal();
  (void)other.next();
  CHECK(random.next() == other.next());
}

}  // namespace
}  // namespace inkling
