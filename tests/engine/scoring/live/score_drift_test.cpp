// That no width and no mean moves further than is told, over random events.
#include "engine/scoring/live/score_drift.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
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

TEST_CASE("settling takes the feature away with which the drift falls most for what it costs") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}}, {{1, 1.0F}}});
  RidgeModel model(pool.view().features(), {});
  (void)model.adopt(0);
  (void)model.adopt(1);
  ScoreDrift drift;
  drift.restart(2);
  const auto observe = [&](DocumentId document, double reward) {
    drift.follow_reward(restricted(model, pool.view().by_document.row(document)),
                        test::learn(model, pool.view(), document, reward));
  };
  observe(0, 3.0);
  observe(1, 4.0);
  CHECK(drift.drift() == doctest::Approx(std::sqrt(2.0) * std::hypot(1.5, 2.0)));

  // The second feature moved further, but costs three times as much.
  const auto cost = [](std::size_t position) { return position == 0 ? 1.0 : 3.0; };
  std::optional<ScoreDrift::Settled> settled = drift.settle(model.factor(), cost);
  REQUIRE(settled);
  CHECK(settled->position == 0);
  CHECK(settled->change == doctest::Approx(1.5));
  CHECK(drift.drift() == doctest::Approx(std::sqrt(2.0) * 2.0));
  settled = drift.settle(model.factor(), cost);
  REQUIRE(settled);
  CHECK(settled->position == 1);
  CHECK(drift.drift() == 0.0);
  CHECK_FALSE(drift.settle(model.factor(), cost));
}

/// A pool whose documents are followed from some moment on, each with its standing.
class Followed {
 public:
  Followed(PoolView pool, double ridge) : pool_(pool), model_(pool.features(), {.ridge = ridge}) {}

  void begin(int features, int rewards, RandomStream& random) {
    for (FeatureId j = 0; j < features; ++j) (void)model_.adopt(j);
    for (int n = 0; n < rewards; ++n) (void)test::learn(model_, pool_, any_document(random), random.normal());
    for (DocumentId i = 0; i < pool_.documents(); ++i) standings_.push_back(standing_now(i));
    drift_.restart(static_cast<std::size_t>(model_.features().size()));
  }

  void follow_random_event(RandomStream& random) {
    const auto next = static_cast<FeatureId>(model_.features().size());
    const double choice = random.uniform();
    if (next < pool_.features() && choice < 0.25) {
      const ScoreDrift::Birth born = drift_.follow_birth(model_.adopt(next), model_.factor());
      for_each_holder(next,
                      [&](Standing& standing, double value) { standing = born.standing(standing, value); });
    } else if (choice < 0.45) {
      const double before = drift_.drift();
      const auto settled =
          drift_.settle(model_.factor(), [&](std::size_t) { return 1.0 + random.uniform(); });
      if (!settled) return;
      ++settled_;
      CHECK(drift_.drift() <= before * (1.0 + 1e-9) + 1e-12);
      const FeatureId feature = model_.features().in_order()[settled->position];
      for_each_holder(feature,
                      [&](Standing& standing, double value) { standing.mean += value * settled->change; });
    } else {
      const DocumentId document = any_document(random);
      const std::vector<RelevantEntry> x = restricted(model_, pool_.by_document.row(document));
      drift_.follow_reward(x, test::learn(model_, pool_, document, 2.0 * random.normal()));
    }
  }

  /// `tightest` is how near any mean came to what was allowed.
  void check_all(double& tightest) const {
    for (DocumentId i = 0; i < pool_.documents(); ++i) {
      const SparseRow row = pool_.by_document.row(i);
      const Prediction now = model_.predict(row);
      const Standing& then = standings_[static_cast<std::size_t>(i)];
      const double margin = 1e-6 * (1e-6 + std::sqrt(squared_norm(row) / model_.ridge()));
      CHECK(std::sqrt(std::max(0.0, now.square)) <= drift_.growth() * then.width + margin);
      const double moved = std::fabs(now.mean - then.mean);
      const double allowed = drift_.growth() * drift_.drift() * then.width;
      CHECK(moved <= allowed * (1.0 + 1e-9) + margin);
      if (allowed > 1e-3) tightest = std::max(tightest, moved / allowed);

      const std::vector<RelevantEntry> x = restricted(model_, row);
      const Standing again = drift_.by_reference(standing_now(i), x);
      CHECK(again.mean == doctest::Approx(then.mean).epsilon(1e-6).scale(1.0 + margin));
      CHECK(again.width * drift_.growth() >= std::sqrt(std::max(0.0, now.square)));
    }
  }

  [[nodiscard]] int settled() const { return settled_; }

 private:
  [[nodiscard]] DocumentId any_document(RandomStream& random) const {
    return between(0, pool_.documents() - 1, random);
  }
  [[nodiscard]] Standing standing_now(DocumentId document) const {
    const Prediction now = model_.predict(pool_.by_document.row(document));
    return {now.mean, std::sqrt(std::max(0.0, now.square))};
  }
  template <typename Visit>
  void for_each_holder(FeatureId feature, const Visit& visit) {
    const SparseRow holders = pool_.by_feature.row(feature);
    for (std::size_t n = 0; n < holders.size(); ++n)
      visit(standings_[static_cast<std::size_t>(holders.features[n])],
            static_cast<double>(holders.values[n]));
  }

  PoolView pool_;
  RidgeModel model_;
  ScoreDrift drift_;
  std::vector<Standing> standings_;  // by document
  int settled_ = 0;
};

TEST_CASE(
    "no document moves further than its drift through rewards and births and settlings in 2000 random runs") {
  double tightest = 0.0;
  int settled = 0;
  for (std::uint64_t number = 0; number < 2000; ++number) {
    INFO("seed " << kScoreDriftSeed << " run " << number);
    RandomStream random = test::stream_for(kScoreDriftSeed, number);
    const std::int32_t features = between(3, 12, random);
    const PoolMatrix pool = test::random_pool(
        {.documents = 30, .features = features, .degenerate = true, .wild_values = random.coin(0.1)}, random);
    Followed followed(pool.view(), std::ldexp(1.0, between(-3, 6, random)));
    followed.begin(features / 2, 5, random);
    for (int event = 0; event < 12; ++event) {
      followed.follow_random_event(random);
      followed.check_all(tightest);
    }
    settled += followed.settled();
  }
  MESSAGE("a mean came as near as " << tightest << " of what is allowed; " << settled
                                    << " features were settled");
  CHECK(tightest > 0.5);  // a bound that is never met would be of no use
  CHECK(settled > 1000);
}

}  // namespace
}  // namespace inkling
