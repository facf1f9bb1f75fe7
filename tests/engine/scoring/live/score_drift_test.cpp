// That no width and no mean moves further than is told, over random events.
#include "engine/scoring/live/score_drift.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/test_pool.hpp"

namespace inkling {
namespace {

using test::between;

constexpr std::uint64_t kScoreDriftSeed = 20'261'122;

std::vector<RelevantEntry> restricted(const RidgeModel& model, SparseRow row) {
  std::vector<RelevantEntry> entries;
  model.features().for_each_relevant(row, [&](std::int32_t position, float value) {
    entries.push_back({position, value});
  });
  return entries;
}

TEST_CASE("a drift begins at zero") {
  ScoreDrift drift;
  drift.restart(3);
  CHECK(drift.drift() == 0.0);
  CHECK(drift.growth() == 1.0);
  CHECK(drift.reach(2.0) == doctest::Approx(2.0));
}

TEST_CASE("a reward of one feature drifts as a calculation by hand says") {
  const PoolMatrix pool = test::pool_of(1, {{{0, 1.0F}}});
  RidgeModel model(pool.view().features(), {});
  (void)model.adopt(0);
  ScoreDrift drift;
  drift.restart(1);
  drift.follow_reward(restricted(model, pool.view().by_document.row(0)),
                      test::learn(model, pool.view(), 0, 3.0));
  // theta moves by 3/2, and |1.5|_V with V = 2 is the drift.
  CHECK(drift.drift() == doctest::Approx(1.5 * std::sqrt(2.0)));
}

/// Follows random events from some moment on; `tightest` is how near any mean came to what was allowed.
void follow_random_events(std::uint64_t number, double& tightest) {
  RandomStream random = test::stream_for(kScoreDriftSeed, number);
  const std::int32_t features = between(3, 12, random);
  const PoolMatrix pool =
      test::random_pool({.documents = 30, .features = features, .degenerate = true}, random);
  const PoolView view = pool.view();
  RidgeModel model(view.features(), {.ridge = std::ldexp(1.0, between(-3, 6, random))});
  for (FeatureId j = 0; j < features / 2; ++j) (void)model.adopt(j);
  for (int n = 0; n < 5; ++n) (void)test::learn(model, pool.view(), between(0, 29, random), random.normal());

  std::vector<Prediction> before;
  before.reserve(30);
  for (DocumentId i = 0; i < 30; ++i) before.push_back(model.predict(view.by_document.row(i)));
  ScoreDrift drift;
  drift.restart(static_cast<std::size_t>(model.features().size()));
  std::vector<FeatureId> newborn;
  for (int event = 0; event < 12; ++event) {
    const auto next = static_cast<FeatureId>(model.features().size());
    if (next < features && random.coin(0.3)) {
      drift.follow_birth(model.adopt(next));
      newborn.push_back(next);
    } else {
      const DocumentId document = between(0, 29, random);
      const std::vector<RelevantEntry> x = restricted(model, view.by_document.row(document));
      drift.follow_reward(x, test::learn(model, pool.view(), document, 2.0 * random.normal()));
    }
    for (DocumentId i = 0; i < 30; ++i) {
      const SparseRow row = view.by_document.row(i);
      if (std::ranges::any_of(newborn, [&](FeatureId j) { return value_at(row, j) != 0.0; })) continue;
      const Prediction now = model.predict(row);
      const double width = std::sqrt(std::max(0.0, before[static_cast<std::size_t>(i)].square));
      const double margin = 1e-6 * (1e-6 + std::sqrt(squared_norm(row) / model.ridge()));
      CHECK(std::sqrt(std::max(0.0, now.square)) <= drift.growth() * width + margin);
      const double moved = std::fabs(now.mean - before[static_cast<std::size_t>(i)].mean);
      const double allowed = drift.growth() * drift.drift() * width;
      CHECK(moved <= allowed * (1.0 + 1e-9) + margin);
      if (allowed > 1e-3) tightest = std::max(tightest, moved / allowed);
    }
  }
}

TEST_CASE("no document without a new feature moves further than its drift in 2000 random runs") {
  double tightest = 0.0;
  for (std::uint64_t number = 0; number < 2000; ++number) {
    INFO("seed " << kScoreDriftSeed << " run " << number);
    follow_random_events(number, tightest);
  }
  MESSAGE("a mean came as near as " << tightest << " of what is allowed");
  CHECK(tightest > 0.5);  // a bound that is never met would be of no use
}

}  // namespace
}  // namespace inkling
