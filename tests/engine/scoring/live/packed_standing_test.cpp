#include "engine/scoring/live/packed_standing.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

#include "tests/support/test_pool.hpp"

namespace inkling {
namespace {

constexpr std::uint64_t kPackedStandingSeed = 20'261'125;

TEST_CASE("a number is rounded up, and by little, over all sizes") {
  RandomStream random = test::stream_for(kPackedStandingSeed);
  for (int n = 0; n < 100'000; ++n) {
    const double value = std::ldexp(random.normal(), test::between(-160, 126, random));
    const auto rounded = static_cast<double>(rounded_up(value));
    REQUIRE(rounded >= value);
    REQUIRE(rounded <= value + 4e-7 * std::fabs(value) + 1e-37);
  }
}

TEST_CASE("what no float holds is rounded up to infinity, or to the lowest float") {
  CHECK(rounded_up(1e300) == std::numeric_limits<float>::infinity());
  CHECK(rounded_up(-1e300) == std::numeric_limits<float>::lowest());
  CHECK(rounded_up(0.0) > 0.0F);
}

TEST_CASE("a packed standing is bare, retired or counts, and may be listed where it counts") {
  const PackedStanding bare;
  CHECK_FALSE(bare.counts());
  CHECK_FALSE(bare.is_retired());
  CHECK_FALSE(bare.is_listed());

  const PackedStanding retired = PackedStanding::retired();
  CHECK_FALSE(retired.counts());
  CHECK(retired.is_retired());

  for (const Standing& standing : {Standing{-2.5, 0.25}, Standing{0.0, 0.0}, Standing{-1e300, 3.0}}) {
    PackedStanding packed(standing);
    CHECK(packed.counts());
    CHECK_FALSE(packed.is_retired());
    CHECK_FALSE(packed.is_listed());
    const Standing before = packed.standing();
    packed.set_listed(true);
    CHECK(packed.is_listed());
    CHECK(packed.width() == before.width);
    CHECK(packed.mean() == before.mean);
    const PackedStanding moved = packed.with_mean(1.5);
    CHECK(moved.is_listed());
    CHECK(moved.width() == before.width);
    CHECK(moved.mean() == static_cast<double>(rounded_up(1.5)));
    packed.set_listed(false);
    CHECK_FALSE(packed.is_listed());
    CHECK(before.mean >= standing.mean);
    CHECK(before.width >= standing.width);
  }
}

}  // namespace
}  // namespace inkling
