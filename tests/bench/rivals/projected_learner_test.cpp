#include "bench/rivals/projected_learner.hpp"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/policy/optimistic_learner.hpp"
#include "tests/support/test_pool.hpp"
#include "tests/support/with_threads.hpp"

namespace inkling::bench {
namespace {

constexpr std::uint64_t kProjectedLearnerSeed = 861;

/// Takes feature j to dimension places[j], with this sign.
Projection signed_places(const std::vector<std::int32_t>& places, double sign) {
  const std::size_t width = places.size();
  std::vector<double> entries(width * width, 0.0);
  for (std::size_t j = 0; j < width; ++j) entries[j * width + static_cast<std::size_t>(places[j])] = sign;
  return {static_cast<std::int32_t>(width), std::move(entries)};
}

TEST_CASE("an orthonormal projection is OFUL choice by choice") {
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    INFO("seed " << kProjectedLearnerSeed << " trial " << trial);
    RandomStream random = test::stream_for(kProjectedLearnerSeed, trial);
    const std::int32_t features = test::between(1, 8, random);
    const PoolMatrix pool = test::random_pool(
        {.documents = test::between(3, 20, random), .features = features, .density = 0.4, .degenerate = true},
        random);
    PolicyOptions options;
    options.ridge = std::ldexp(1.0, test::between(-4, 4, random));
    options.factor = FactorKind::dense;
    ProjectedLearner projected(
        pool.view(), options, signed_places(test::shuffled(features, random), random.coin(0.5) ? 1.0 : -1.0));
    OptimisticLearner plain(pool.view(), options);
    std::vector<FeatureId> all(static_cast<std::size_t>(features));
    std::iota(all.begin(), all.end(), 0);
    plain.start_with(all);
    for (int round = 0; round < 15; ++round) {
      REQUIRE(*projected.radius() == doctest::Approx(*plain.radius()).epsilon(1e-9));
      const DocumentId chosen = projected.choose(random);
      const Prediction mine = plain.model()->predict(pool.view().by_document.row(chosen));
      const Prediction best = plain.model()->predict(pool.view().by_document.row(plain.choose(random)));
      REQUIRE(optimism(mine.mean, mine.square, *plain.radius()) >=
              optimism(best.mean, best.square, *plain.radius()) - 1e-9);
      const double reward = random.normal();
      projected.observe(chosen, reward);
      plain.observe(chosen, reward);
      for (const FeatureId feature : all) {
        REQUIRE(projected.weight(feature) == doctest::Approx(plain.weight(feature)).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("every feature is in use and retired documents are not chosen") {
  const PoolMatrix pool = test::pool_of(3, {{{0, 1.0F}}, {{1, 1.0F}}, {{2, 1.0F}}, {}});
  ProjectedLearner learner(pool.view(), {}, ProjectionOptions{.dimensions = 2, .seed = 5});
  RandomStream random = test::stream_for(kProjectedLearnerSeed);
  CHECK(learner.features_in_use() == 3);
  CHECK(learner.uses(2));
  CHECK(learner.model() == nullptr);  // it has none of these features
  std::vector<bool> chosen(4, false);
  for (int round = 0; round < 4; ++round) {
    const DocumentId document = learner.choose(random);
    CHECK_FALSE(chosen[static_cast<std::size_t>(document)]);
    chosen[static_cast<std::size_t>(document)] = true;
    learner.observe(document, 1.0);
    learner.retire(document);
  }
}

TEST_CASE("dimensions that no projection has are refused") {
  const PoolMatrix pool = test::pool_of(1, {{{0, 1.0F}}});
  CHECK_THROWS_AS(ProjectedLearner(pool.view(), {}, ProjectionOptions{.dimensions = 0}), FormatError);
}

TEST_CASE("the same choices come out at one and two and eight threads") {
  RandomStream random = test::stream_for(kProjectedLearnerSeed, 9);
  const PoolMatrix pool =
      test::random_pool({.documents = 5000, .features = 60, .density = 0.1, .degenerate = true}, random);
  const auto run = [&] {
    ProjectedLearner learner(pool.view(), {}, ProjectionOptions{.dimensions = 10});
    RandomStream reader = test::stream_for(kProjectedLearnerSeed, 10);
    std::vector<double> seen;
    for (int round = 0; round < 25; ++round) {
      const DocumentId chosen = learner.choose(reader);
      learner.observe(chosen, reader.normal());
      learner.retire(chosen);
      seen.push_back(chosen);
      seen.push_back(*learner.radius());
    }
    return seen;
  };
  const std::vector<double> alone = test::with_threads(1, run);
  CHECK(test::with_threads(2, run) == alone);
  CHECK(test::with_threads(8, run) == alone);
}

}  // namespace
}  // namespace inkling::bench
