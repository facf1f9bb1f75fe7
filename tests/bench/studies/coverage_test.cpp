#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "bench/studies/trial.hpp"
#include "engine/model/dual_ridge_model.hpp"
#include "engine/model/ridge_model.hpp"
#include "tests/bench/worlds/worlds.hpp"
#include "tests/support/test_pool.hpp"

namespace inkling::bench {
namespace {

using test::short_entrant;
using test::small_world;

/// By the whole matrix: d' V d with V written out.
double plain_distance(const LinearModel& model, PoolView pool, const std::vector<double>& truth) {
  const auto size = static_cast<std::size_t>(pool.features());
  std::vector<double> gram(size * size, 0.0);
  std::vector<double> error(size, 0.0);
  for (std::size_t j = 0; j < size; ++j) {
    const auto feature = static_cast<FeatureId>(j);
    if (!model.uses(feature)) continue;
    gram[j * size + j] = model.precision(feature);
    error[j] = model.weight(feature) - truth[j];
  }
  for (const PlayedDocument& played : model.played().in_order()) {
    const SparseRow row = pool.by_document.row(static_cast<DocumentId>(played.document));
    for (std::size_t a = 0; a < row.size(); ++a) {
      for (std::size_t b = 0; b < row.size(); ++b) {
        gram[static_cast<std::size_t>(row.features[a]) * size + static_cast<std::size_t>(row.features[b])] +=
            static_cast<double>(played.plays) * static_cast<double>(row.values[a]) *
            static_cast<double>(row.values[b]);
      }
    }
  }
  double square = 0.0;
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b < size; ++b) square += error[a] * gram[a * size + b] * error[b];
  }
  return std::sqrt(square);
}

TEST_CASE("the distance to the truth is that of the whole matrix on the features in use") {
  const World world = make_synthetic_world(small_world(), 7, 0);
  RidgeModel model(world.pool.features(), {.ridge = 0.5});
  DualRidgeModel dual(world.pool.features(), 0.5);
  const FeatureId in_use[] = {1, 4, 7};
  for (const FeatureId feature : in_use) {
    model.adopt(feature);
    dual.adopt(feature);
  }
  for (const DocumentId document : {3, 9, 3, 20}) {
    inkling::test::learn(model, world.pool, document, 0.25);
    inkling::test::learn(dual, world.pool, document, 0.25);
  }
  const double expected = plain_distance(model, world.pool, world.truth);
  CHECK(expected > 0.0);
  CHECK(distance_to_truth(model, world) == doctest::Approx(expected));
  CHECK(distance_to_truth(dual, world) == doctest::Approx(expected));
}

TEST_CASE("a round counts as missed beyond the radius and as undervalued below the best value") {
  World world = make_synthetic_world(small_world(), 7, 0);
  RidgeModel model(world.pool.features(), {.ridge = 1.0});
  for (FeatureId feature = 0; feature < world.pool.features(); ++feature) model.adopt(feature);
  // Nothing is learned: the distance is |theta*| = 1, and the optimistic value of a row of length 1 the
  // radius.
  world.rewards = RewardModel::fixed(std::vector<double>(60, 0.5));
  Coverage coverage;
  coverage.add(model, world, 0, 1.0);
  CHECK(coverage.missed == 0);
  CHECK(coverage.undervalued == 0);
  coverage.add(model, world, 0, 0.75);
  CHECK(coverage.missed == 1);
  CHECK(coverage.undervalued == 0);
  coverage.add(model, world, 0, 0.25);
  CHECK(coverage.missed == 2);
  CHECK(coverage.undervalued == 1);
  CHECK(coverage.rounds == 3);
}

TEST_CASE("a watched trial is the same trial and counts the rounds that have a radius") {
  const World world = make_synthetic_world(small_world(), 7, 0);
  Entrant entrant = short_entrant("ff-oful", 120);
  const TrialResult plain = run_trial(world, entrant, 0);
  CHECK_FALSE(plain.coverage);
  entrant.coverage = CoverageWatch::every_round;
  const TrialResult watched = run_trial(world, entrant, 0);
  CHECK(watched.curve == plain.curve);
  REQUIRE(watched.coverage);
  CHECK(watched.coverage->rounds > 0);
  CHECK(watched.coverage->rounds < 120);  // none before the first mark
  entrant.preset = *find_any_preset("oful");
  CHECK(run_trial(world, entrant, 0).coverage->rounds == 120);
  entrant.preset = *find_any_preset("thompson");
  CHECK(run_trial(world, entrant, 0).coverage->rounds == 0);
}

}  // namespace
}  // namespace inkling::bench
