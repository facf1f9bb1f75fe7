#include <set>

#include <doctest/doctest.h>

#include "bench/worlds/world.hpp"
#include "tests/bench/worlds/worlds.hpp"

namespace inkling::bench {
namespace {

using test::small_world;

TEST_CASE("a word is new the first time it is marked and never again") {
  const World world = make_synthetic_world(small_world(), 1, 0);
  SimulatedReader reader(world, 1, 0);
  std::set<FeatureId> seen;
  for (DocumentId i = 0; i < 60; ++i) {
    const Answer answer = reader.answer(i);
    for (const FeatureId feature : answer.new_marks) CHECK(seen.insert(feature).second);
    for (const FeatureId feature : answer.marks) CHECK(seen.contains(feature));
  }
  CHECK(seen.size() == 3);  // all words that matter, each marked in half of the showings
}

TEST_CASE("two readers with the same seed and trial give the same answers about the same documents") {
  const World world = make_synthetic_world(small_world(), 1, 0);
  SimulatedReader one(world, 5, 2);
  SimulatedReader same(world, 5, 2);
  SimulatedReader other(world, 5, 3);
  bool differs = false;
  for (DocumentId i = 0; i < 20; ++i) {
    const double reward = one.answer(i).reward;
    CHECK(same.answer(i).reward == reward);
    differs = differs || other.answer(i).reward != reward;
  }
  CHECK(differs);
}

}  // namespace
}  // namespace inkling::bench
