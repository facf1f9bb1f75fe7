#include "engine/policy/exploration_schedule.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <doctest/doctest.h>

namespace inkling {
namespace {

using Kind = ExplorationSchedule::Kind;

TEST_CASE("a schedule of always or never does not look at the clock") {
  for (const RoundClock clock : {RoundClock{1, 0}, RoundClock{5, 3}, RoundClock{1'000'000, 999'999}}) {
    CHECK(ExplorationSchedule{.kind = Kind::always}.probability(clock) == 1.0);
    CHECK(ExplorationSchedule{.kind = Kind::never}.probability(clock) == 0.0);
  }
}

TEST_CASE("the schedule of Algorithm 2 is one over the root of the rounds since the first mark") {
  const ExplorationSchedule schedule{.kind = Kind::inverse_sqrt};
  CHECK(schedule.probability({10, 1}) == 1.0);
  CHECK(schedule.probability({11, 2}) == 1.0 / std::sqrt(2.0));
  CHECK(schedule.probability({12, 3}) == 1.0 / std::sqrt(3.0));
  CHECK(schedule.probability({13, 4}) == 0.5);
  CHECK(schedule.probability({16, 7}) == 1.0 / std::sqrt(7.0));
  CHECK(schedule.probability({110, 100}) == 0.1);
}

TEST_CASE("the epoch schedule holds one probability through each epoch of 2^s rounds") {
  const ExplorationSchedule schedule{.kind = Kind::epochs};
  const double of_two = 1.0 / std::sqrt(2.0);
  const double of_eight = 1.0 / std::sqrt(8.0);
  const std::array<double, 9> expected = {1.0, of_two, of_two, 0.5, 0.5, 0.5, 0.5, of_eight, of_eight};
  for (std::size_t n = 0; n < expected.size(); ++n) {
    const auto t = static_cast<std::int64_t>(n) + 1;
    CAPTURE(t);
    CHECK(schedule.probability({t + 20, t}) == expected.at(n));
  }
  CHECK(schedule.probability({1, 15}) == of_eight);
  CHECK(schedule.probability({1, 16}) == 0.25);
}

TEST_CASE("the epoch constant multiplies the probability up to 1") {
  const ExplorationSchedule doubled{.kind = Kind::epochs, .epoch_constant = 2.0};
  CHECK(doubled.probability({1, 4}) == 1.0);
  CHECK(doubled.probability({1, 16}) == 0.5);
  const ExplorationSchedule halved{.kind = Kind::epochs, .epoch_constant = 0.5};
  CHECK(halved.probability({1, 1}) == 0.5);
}

TEST_CASE("schedules that count from the first mark explore in every round until then") {
  CHECK(ExplorationSchedule{.kind = Kind::inverse_sqrt}.probability({1000, 0}) == 1.0);
  CHECK(ExplorationSchedule{.kind = Kind::epochs, .epoch_constant = 0.1}.probability({1000, 0}) == 1.0);
}

TEST_CASE("explore-then-commit explores through round T0 and never after") {
  const ExplorationSchedule schedule{.kind = Kind::first_rounds, .first_rounds = 3};
  CHECK(schedule.probability({1, 0}) == 1.0);
  CHECK(schedule.probability({3, 2}) == 1.0);
  CHECK(schedule.probability({4, 3}) == 0.0);
  CHECK(ExplorationSchedule{.kind = Kind::first_rounds}.probability({1, 0}) == 0.0);
}

}  // namespace
}  // namespace inkling
