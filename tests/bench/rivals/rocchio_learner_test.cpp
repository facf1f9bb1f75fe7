#include "bench/rivals/rocchio_learner.hpp"

#include <cmath>
#include <cstdint>
#include <set>

#include <doctest/doctest.h>

#include "tests/support/engine/test_pool.hpp"

namespace inkling::bench {
namespace {

constexpr std::uint64_t kRocchioSeed = 1471;

TEST_CASE("the weights of Rocchio's formula equal a calculation by hand") {
  const PoolMatrix pool = test::pool_of(3, {{{0, 1.0F}}, {{0, 2.0F}, {1, 1.0F}}, {{1, 4.0F}}, {{2, 1.0F}}, {{2, 8.0F}}});
  RocchioLearner learner(pool.view());
  RandomStream random = test::stream_for(kRocchioSeed);
  learner.observe(0, 1.0);
  learner.observe(1, 1.0);
  learner.observe(2, -1.0);
  for (const DocumentId document : {0, 1, 2}) learner.retire(document);
  static_cast<void>(learner.choose(random));
  CHECK(learner.weight(0) == doctest::Approx(0.75 * 1.5));
  CHECK(learner.weight(1) == doctest::Approx(0.75 * 0.5 - 0.15 * 4.0));
  CHECK(learner.weight(2) == 0.0);
  learner.observe_marks(0, std::vector<SaidWord>{{.feature = 0, .confidence = 1.0}, {.feature = 2, .confidence = 0.5}});
  learner.observe(2, -1.0);  // rating a document again does not change the mean of the others
  CHECK(learner.choose(random) == 4);
  const double length = std::sqrt(1.25);
  CHECK(learner.weight(0) == doctest::Approx(1.0 / length + 0.75 * 1.5));
  CHECK(learner.weight(2) == doctest::Approx(0.5 / length));
  CHECK(learner.weight(1) == doctest::Approx(0.75 * 0.5 - 0.15 * 4.0));
}

TEST_CASE("Rocchio draws at random until a document is wanted or a word is named") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}}, {{1, 1.0F}}, {{0, 1.0F}, {1, 1.0F}}});
  std::set<DocumentId> drawn;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    RocchioLearner learner(pool.view());
    RandomStream random = test::stream_for(kRocchioSeed, seed);
    learner.observe(0, 0.0);
    drawn.insert(learner.choose(random));
    learner.rate_words(std::vector<SaidWord>{{1, 1.0, 1.0}});
    CHECK(learner.choose(random) == 1);
  }
  CHECK(drawn == std::set<DocumentId>{0, 1, 2});
}

}  // namespace
}  // namespace inkling::bench
