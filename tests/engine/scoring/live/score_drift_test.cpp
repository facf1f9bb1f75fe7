// Checks over random events that no width and no mean moves further than the drift says.
#include "engine/scoring/live/score_drift.hpp"

#include <algorithm>
#include <limits>

#include <doctest/doctest.h>

#include "engine/model/ridge_model.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::between;

constexpr std::uint64_t kScoreDriftSeed = 20'261'122;

std::vector<RelevantEntry> restricted(const RidgeModel& model, SparseRow row) {
  std::vector<RelevantEntry> entries;
  model.features().for_each_relevant(row, [&](std::int32_t position, float value) { entries.push_back({position, value}); });
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
  drift.follow_reward(restricted(model, pool.view().by_document.row(0)), test::learn(model, pool.view(), 0, 3.0));
  // theta moves by 3/2, and |1.5|_V with V = 2 is the drift.
  CHECK(drift.drift() == doctest::Approx(1.5 * std::sqrt(2.0)));
}

TEST_CASE("settling takes away the feature whose drift is largest for its cost") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}}, {{1, 1.0F}}});
  RidgeModel model(pool.view().features(), {.inverse = InverseUse::kept});
  (void)model.adopt(0);
  (void)model.adopt(1);
  ScoreDrift drift;
  drift.restart(2);
  const auto observe = [&](DocumentId document, double reward) {
    drift.follow_reward(restricted(model, pool.view().by_document.row(document)),
                        test::learn(model, pool.view(), document, reward));
  };
  const std::vector<std::uint8_t> may_fall = {1, 1};
  observe(0, 3.0);
  observe(1, 4.0);
  drift.relax(model, may_fall);
  CHECK(drift.drift() == doctest::Approx(std::sqrt(2.0) * std::hypot(1.5, 2.0)));

  // The second feature moved further, but costs three times as much.
  const auto cost = [](std::size_t position) { return position == 0 ? 1.0 : 3.0; };
  std::optional<std::size_t> position = drift.worth_settling(cost);
  REQUIRE(position);
  CHECK(*position == 0);
  CHECK(drift.settle(*position) == doctest::Approx(1.5));
  drift.relax(model, may_fall);
  CHECK(drift.drift() == doctest::Approx(std::sqrt(2.0) * 2.0));
  position = drift.worth_settling(cost);
  REQUIRE(position);
  CHECK(*position == 1);
  CHECK(drift.settle(*position) != 0.0);
  drift.relax(model, may_fall);
  CHECK(drift.drift() == 0.0);
  CHECK_FALSE(drift.worth_settling(cost));
}

TEST_CASE("a weight that fell is no drift if no document has a negative value of its feature") {
  const PoolMatrix pool = test::pool_of(1, {{{0, 1.0F}}});
  RidgeModel model(pool.view().features(), {.inverse = InverseUse::kept});
  (void)model.adopt(0);
  ScoreDrift drift;
  drift.restart(1);
  drift.follow_reward(restricted(model, pool.view().by_document.row(0)), test::learn(model, pool.view(), 0, -3.0));
  drift.relax(model, std::vector<std::uint8_t>{0});
  CHECK(drift.drift() == doctest::Approx(1.5 * std::sqrt(2.0)));
  drift.relax(model, std::vector<std::uint8_t>{1});
  CHECK(drift.drift() == 0.0);
  CHECK_FALSE(drift.worth_settling([](std::size_t) { return 1.0; }));
}

/// The least |delta|_V^2 with no entry of delta below that of lag. Tries every set of entries that could be equal to lag.
double least_square(const RidgeModel& model, const std::vector<double>& lag) {
  const std::size_t size = lag.size();
  std::vector<std::vector<double>> gram(size, std::vector<double>(size));
  for (std::size_t a = 0; a < size; ++a) {
    std::vector<double> unit(size, 0.0);
    unit[a] = 1.0;
    model.factor().multiply(unit, gram[a]);
  }
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t at_lag = 0; at_lag < (1U << size); ++at_lag) {
    // The other entries minimise the norm: after 400 rounds their gradient is 0.
    std::vector<double> delta(size, 0.0);
    for (std::size_t a = 0; a < size; ++a)
      if ((at_lag >> a & 1U) != 0) delta[a] = lag[a];
    for (int round = 0; round < 400; ++round) {
      for (std::size_t a = 0; a < size; ++a) {
        if ((at_lag >> a & 1U) != 0) continue;
        double others = 0.0;
        for (std::size_t b = 0; b < size; ++b)
          if (b != a) others += gram[a][b] * delta[b];
        delta[a] = -others / gram[a][a];
      }
    }
    double square = 0.0;
    bool allowed = true;
    for (std::size_t a = 0; a < size; ++a) {
      allowed = allowed && delta[a] >= lag[a] - 1e-9;
      for (std::size_t b = 0; b < size; ++b) square += delta[a] * gram[a][b] * delta[b];
    }
    if (allowed) least = std::min(least, square);
  }
  return least;
}

TEST_CASE("a relaxed drift is nearly the shortest valid one in 500 random runs") {
  double excess = 0.0;
  int compared = 0;
  test::each_case(kScoreDriftSeed + 1, 500, [&](RandomStream& random) {
    const std::int32_t features = between(1, 5, random);
    const PoolMatrix pool = test::random_pool({.documents = 30, .features = features}, random);
    RidgeModel model(features, {.inverse = InverseUse::kept});
    for (FeatureId j = 0; j < features; ++j) (void)model.adopt(j);
    for (int n = 0; n < 5; ++n) (void)test::learn(model, pool.view(), between(0, 29, random), random.normal());
    const std::vector<double> then(model.theta().begin(), model.theta().end());
    ScoreDrift drift;
    drift.restart(then.size());
    for (int n = 0; n < 5; ++n) {
      const DocumentId document = between(0, 29, random);
      const std::vector<RelevantEntry> x = restricted(model, pool.view().by_document.row(document));
      drift.follow_reward(x, test::learn(model, pool.view(), document, random.normal()));
    }
    std::vector<double> lag(then.size());
    for (std::size_t a = 0; a < lag.size(); ++a) lag[a] = model.theta()[a] - then[a];
    drift.relax(model, std::vector<std::uint8_t>(lag.size(), 1));
    const double least = std::sqrt(least_square(model, lag));
    CHECK(drift.drift() >= least * (1.0 - 1e-6) - 1e-9);
    if (least < 1e-3) return;
    excess += drift.drift() / least - 1.0;
    ++compared;
  });
  MESSAGE(compared << " drifts are longer than the shortest by " << excess / compared << " in the mean");
  CHECK(compared > 300);
  CHECK(excess < 0.02 * compared);
}

/// A pool, and the line of each document at some time.
class Followed {
 public:
  Followed(PoolView pool, double ridge) : pool_(pool), model_(pool.features(), {.ridge = ridge, .inverse = InverseUse::kept}) {}

  void begin(int features, int rewards, RandomStream& random) {
    for (FeatureId j = 0; j < features; ++j) (void)model_.adopt(j);
    for (int n = 0; n < rewards; ++n) (void)test::learn(model_, pool_, any_document(random), random.normal());
    for (DocumentId i = 0; i < pool_.documents(); ++i) lines_.push_back(line_now(i));
    drift_.restart(static_cast<std::size_t>(model_.features().size()));
  }

  void follow_random_event(RandomStream& random) {
    const auto next = static_cast<FeatureId>(model_.features().size());
    const double choice = random.uniform();
    if (next < pool_.features() && choice < 0.25) {
      const ScoreDrift::Birth born = drift_.follow_birth(model_.adopt(next), model_.factor());
      for_each_holder(next, [&](ReachLine& line, double value) { line = born.line(line, value); });
    } else if (choice < 0.45) {
      const double unrelaxed = drift_.drift();
      relax();
      const double before = drift_.drift();
      if (random.coin(0.5)) return;
      const std::optional<std::size_t> position = drift_.worth_settling([&](std::size_t) { return 1.0 + random.uniform(); });
      if (!position) return;
      ++settled_;
      const double change = drift_.settle(*position);
      relax();
      if (before < unrelaxed) ++relaxed_;
      const FeatureId feature = model_.features().in_order()[*position];
      for_each_holder(feature, [&](ReachLine& line, double value) { line.mean += value * change; });
    } else {
      const DocumentId document = any_document(random);
      const std::vector<RelevantEntry> x = restricted(model_, pool_.by_document.row(document));
      drift_.follow_reward(x, test::learn(model_, pool_, document, 2.0 * random.normal()));
    }
  }

  /// `tightest` is the largest ratio of the movement of a mean to the movement that was allowed.
  void check_all(double& tightest) const {
    std::vector<double> reference;
    drift_.reference_weights(model_.theta(), reference);
    for (DocumentId i = 0; i < pool_.documents(); ++i) {
      const SparseRow row = pool_.by_document.row(i);
      const Prediction now = model_.predict(row);
      const ReachLine& then = lines_[static_cast<std::size_t>(i)];
      const double margin = 1e-6 * (1e-6 + std::sqrt(squared_norm(row) / model_.ridge()));
      CHECK(std::sqrt(std::max(0.0, now.square)) <= drift_.growth() * then.width + margin);
      const double moved = now.mean - then.mean;
      const double allowed = drift_.growth() * drift_.drift() * then.width;
      CHECK(moved <= allowed * (1.0 + 1e-9) + margin);
      if (allowed > 1e-3) tightest = std::max(tightest, moved / allowed);

      const std::vector<RelevantEntry> x = restricted(model_, row);
      const ReachLine again = drift_.by_reference(line_now(i), x);
      CHECK(again.mean == doctest::Approx(then.mean).epsilon(1e-6).scale(1.0 + margin));
      double by_reference = 0.0;
      for (const RelevantEntry& entry : x)
        by_reference += static_cast<double>(entry.value) * reference[static_cast<std::size_t>(entry.position)];
      CHECK(by_reference == doctest::Approx(again.mean).epsilon(1e-6).scale(1.0 + margin));
      CHECK(again.width * drift_.growth() >= std::sqrt(std::max(0.0, now.square)));
    }
  }

  [[nodiscard]] int settled() const { return settled_; }
  [[nodiscard]] int relaxed() const { return relaxed_; }

 private:
  void relax() {
    std::vector<std::uint8_t> may_fall;
    for (const FeatureId feature : model_.features().in_order()) {
      const SparseRow holders = pool_.by_feature.row(feature);
      may_fall.push_back(std::ranges::all_of(holders.values, [](float value) { return value >= 0.0F; }) ? 1 : 0);
    }
    drift_.relax(model_, may_fall);
  }
  [[nodiscard]] DocumentId any_document(RandomStream& random) const { return between(0, pool_.documents() - 1, random); }
  [[nodiscard]] ReachLine line_now(DocumentId document) const {
    const Prediction now = model_.predict(pool_.by_document.row(document));
    return {now.mean, std::sqrt(std::max(0.0, now.square))};
  }
  template <typename Visit>
  void for_each_holder(FeatureId feature, const Visit& visit) {
    const SparseRow holders = pool_.by_feature.row(feature);
    for (std::size_t n = 0; n < holders.size(); ++n)
      visit(lines_[static_cast<std::size_t>(holders.features[n])], static_cast<double>(holders.values[n]));
  }

  PoolView pool_;
  RidgeModel model_;
  ScoreDrift drift_;
  std::vector<ReachLine> lines_;  // by document
  int settled_ = 0;
  int relaxed_ = 0;
};

TEST_CASE("no mean rises further than its drift through rewards, births and settlings, relaxed or not, in 2000 random runs") {
  double tightest = 0.0;
  int settled = 0;
  int relaxed = 0;
  test::each_case(kScoreDriftSeed, 2000, [&](RandomStream& random) {
    const std::int32_t features = between(3, 12, random);
    const PoolMatrix pool =
        test::random_pool({.documents = 30, .features = features, .degenerate = true, .wild_values = random.coin(0.1)}, random);
    Followed followed(pool.view(), std::ldexp(1.0, between(-3, 6, random)));
    followed.begin(features / 2, 5, random);
    for (int event = 0; event < 12; ++event) {
      followed.follow_random_event(random);
      followed.check_all(tightest);
    }
    settled += followed.settled();
    relaxed += followed.relaxed();
  });
  MESSAGE("the largest movement of a mean was " << tightest << " of what is allowed; " << settled << " features were settled, "
                                                << relaxed << " drifts relaxed");
  CHECK(tightest > 0.5);  // a bound that is never met would be of no use
  CHECK(settled > 1000);
  CHECK(relaxed > 500);
}

}  // namespace
}  // namespace inkling
