#include "engine/model/ridge_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/reference_ridge.hpp"
#include "tests/support/engine/ridge_comparison.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::between, test::kFactorKinds, test::name_of, test::ReferenceRidge;

/// Documents (1 2) and (2 0) and ().
PoolMatrix tiny_pool() { return test::pool_of(2, {{{0, 1.0F}, {1, 2.0F}}, {{0, 2.0F}}, {}}); }

TEST_CASE("a ridge model agrees with a calculation by hand through every event") {
  for (const FactorKind kind : kFactorKinds) {
    CAPTURE(name_of(kind));
    const PoolMatrix pool = tiny_pool();
    RidgeModel model(pool.view().features(), {.ridge = 1.0, .factor = kind});

    model.adopt(0);
    const RankOneChange reward = test::learn(model, pool.view(), 0, 3.0);  // V = (2), theta = 3/2
    CHECK(reward.leverage == 1.0);
    CHECK(reward.direction[0] == 1.0);
    CHECK(reward.mean_gain == 1.5);
    CHECK(reward.square_gain == -0.5);
    CHECK(model.theta()[0] == 1.5);
    CHECK(model.log_det_ratio() == doctest::Approx(std::log(2.0)).epsilon(1e-15));

    const RankOneChange birth = model.adopt(1);  // V = (2 2; 2 5), theta = (1/2 1)
    CHECK(birth.direction[0] == doctest::Approx(-1.0));
    CHECK(birth.direction[1] == 1.0);
    CHECK(birth.square_gain == doctest::Approx(1.0 / 3.0));
    CHECK(model.theta()[0] == doctest::Approx(0.5));
    CHECK(model.theta()[1] == doctest::Approx(1.0));
    CHECK(model.log_det_ratio() == doctest::Approx(std::log(6.0)));
    CHECK(model.predict(pool.view().by_document.row(1)).mean == doctest::Approx(1.0));
    CHECK(model.predict(pool.view().by_document.row(1)).square == doctest::Approx(10.0 / 3.0));
    CHECK(model.predict(pool.view().by_document.row(2)).mean == 0.0);
    CHECK(model.predict(pool.view().by_document.row(2)).square == 0.0);
  }
}

TEST_CASE("a reward of a document without relevant features changes nothing yet") {
  const PoolMatrix pool = tiny_pool();
  RidgeModel model(pool.view().features(), {});
  const RankOneChange nothing = test::learn(model, pool.view(), 1, 4.0);
  CHECK(nothing.direction.empty());
  CHECK(nothing.square_gain == 0.0);
  model.adopt(0);  // born from the document played before: V = (5), theta = 8/5
  CHECK(model.theta()[0] == doctest::Approx(1.6));
}

TEST_CASE("a ridge that is not positive and finite or so small that products overflow is refused") {
  // Went wrong: a ridge of 1e-300 and a value of 1e10 made the leverage infinite and theta not a number.
  const PoolMatrix pool = tiny_pool();
  for (const double ridge :
       {0.0, -1.0, 1e-300, 1e300, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    CAPTURE(ridge);
    CHECK_THROWS_AS(RidgeModel(pool.view().features(), {.ridge = ridge}), NumericalError);
  }
}

/// A model and its twin over one pool, led through random events.
class RidgeWalk {
 public:
  RidgeWalk(const PoolMatrix& pool, RidgeOptions options)
      : pool_(pool.view()), model_(pool_.features(), options), twin_(pool_, options.ridge) {}

  void step(RandomStream& random) {
    const FeatureId feature = between(0, pool_.features() - 1, random);
    const double choice = random.uniform();
    if (choice < 0.6)
      reward(between(0, pool_.documents() - 1, random), random.normal());
    else if (!twin_.uses(feature))
      birth(feature);
    else if (choice < 0.85)
      other_precision(feature, std::ldexp(1.0, between(-5, 8, random)));
  }

  void reward(DocumentId document, double value) {
    remember();
    const double square = model_.predict(pool_.by_document.row(document)).square;
    const RankOneChange change = test::learn(model_, pool_, document, value);
    twin_.observe(document, value);
    REQUIRE(change.leverage == doctest::Approx(square).epsilon(1e-10));
    check_change(change);
  }

  void birth(FeatureId feature) {
    remember();
    // The new feature starts with theta 0 and an empty row of V^-1.
    const std::size_t m = theta_.size();
    std::vector<double> wider((m + 1) * (m + 1), 0.0);
    for (std::size_t a = 0; a < m; ++a) {
      std::copy_n(inverse_.begin() + static_cast<std::ptrdiff_t>(a * m), m,
                  wider.begin() + static_cast<std::ptrdiff_t>(a * (m + 1)));
    }
    inverse_ = wider;
    theta_.push_back(0.0);
    const RankOneChange change = model_.adopt(feature);
    twin_.adopt(feature);
    check_change(change);
  }

  void other_precision(FeatureId feature, double precision) {
    remember();
    const RankOneChange change = model_.reweigh(feature, precision);
    twin_.reweigh(feature, precision);
    REQUIRE(model_.precision(feature) == precision);
    check_change(change);
  }

  [[nodiscard]] test::RidgeErrors errors() const { return test::errors_of(model_, twin_.solved(), pool_); }
  [[nodiscard]] RidgeModel& model() noexcept { return model_; }

 private:
  void remember() {
    theta_.assign(model_.theta().begin(), model_.theta().end());
    inverse_ = model_.inverse();
  }

  void check_change(const RankOneChange& change) {
    REQUIRE_FALSE(change.rebuilt);
    const std::size_t m = theta_.size();
    REQUIRE(change.direction.size() == m);
    for (std::size_t a = 0; a < m; ++a) {
      theta_[a] += change.mean_gain * change.direction[a];
      for (std::size_t b = 0; b < m; ++b) inverse_[a * m + b] += change.square_gain * change.direction[a] * change.direction[b];
    }
    const std::vector<double> inverse = model_.inverse();
    for (std::size_t i = 0; i < inverse.size(); ++i) REQUIRE(std::fabs(inverse[i] - inverse_[i]) <= 1e-9);
    for (std::size_t a = 0; a < theta_.size(); ++a) REQUIRE(std::fabs(model_.theta()[a] - theta_[a]) <= 1e-9);
  }

  PoolView pool_;
  RidgeModel model_;
  ReferenceRidge twin_;
  std::vector<double> theta_;
  std::vector<double> inverse_;
};

TEST_CASE("a ridge model equals its plain twin through random rewards and births and precisions") {
  constexpr std::uint64_t seed = 51;
  test::each_case(seed, 600, [&](RandomStream& random, std::uint64_t trial) {
    const PoolMatrix pool = test::random_pool({.documents = between(2, 12, random),
                                               .features = between(1, 9, random),
                                               .density = 0.2 + 0.7 * random.uniform(),
                                               .degenerate = true},
                                              random);
    const double ridge = std::ldexp(1.0, between(-3, 6, random));
    const FactorKind kind = kFactorKinds.at(trial % 2);
    RidgeWalk walk(pool, {.ridge = ridge, .factor = kind});
    for (int step = 0; step < 40; ++step) {
      INFO("seed " << seed << " trial " << trial << " step " << step << " " << name_of(kind));
      walk.step(random);
      REQUIRE(walk.errors().worst() < 1e-10);
    }
    CHECK(walk.model().rebuilds() == 0);
  });
}

TEST_CASE("refining brings theta back after a long run with a small ridge") {
  constexpr std::uint64_t seed = 71;
  for (const FactorKind kind : kFactorKinds) {
    CAPTURE(name_of(kind));
    RandomStream random = test::stream_for(seed);
    const PoolMatrix pool = test::random_pool({.documents = 40, .features = 12, .density = 0.3}, random);
    RidgeModel model(pool.view().features(), {.ridge = std::ldexp(1.0, -20), .factor = kind});
    ReferenceRidge twin(pool.view(), std::ldexp(1.0, -20));
    for (FeatureId feature = 0; feature < 12; ++feature) {
      model.adopt(feature);
      twin.adopt(feature);
    }
    for (int play = 0; play < 20'000; ++play) {
      const DocumentId document = between(0, 39, random);
      const double reward = random.normal();
      test::learn(model, pool.view(), document, reward);
      twin.observe(document, reward);
    }
    const test::SolvedRidge right = twin.solved();
    const test::RidgeErrors before = test::errors_of(model, right, pool.view());
    model.refine();
    const test::RidgeErrors after = test::errors_of(model, right, pool.view());
    CHECK(after.theta <= before.theta);
    CHECK(after.theta < 1e-12);
    CHECK(after.log_det < 1e-12);
  }
}

TEST_CASE("refining an empty model does nothing") {
  const PoolMatrix pool = tiny_pool();
  RidgeModel model(pool.view().features(), {});
  model.refine();
  CHECK(model.log_det_ratio() == 0.0);
  CHECK(model.inverse().empty());
}

struct Growth {
  std::int32_t documents, features;
  double density;
  int plays;
};

/// Discovers all features in random order between random plays. Returns the errors against a fresh factorisation.
test::RidgeErrors errors_after(const Growth& growth, FactorKind kind, RandomStream& random) {
  const PoolMatrix pool = test::random_pool(
      {.documents = growth.documents, .features = growth.features, .density = growth.density, .degenerate = true}, random);
  RidgeModel model(pool.view().features(), {.ridge = 1.0, .factor = kind, .first_capacity = 16});
  test::ReferenceRidge twin(pool.view(), 1.0);
  const std::vector<std::int32_t> order = test::shuffled(growth.features, random);
  std::size_t born = 0;
  int played = 0;
  while (born < order.size() || played < growth.plays) {
    const bool birth = born < order.size() && (played == growth.plays || random.coin(0.5));
    if (birth) {
      model.adopt(order[born]);
      twin.adopt(order[born++]);
    } else {
      const DocumentId document = between(0, growth.documents - 1, random);
      const double reward = random.normal();
      test::learn(model, pool.view(), document, reward);
      twin.observe(document, reward);
      ++played;
    }
  }
  return test::errors_of(model, twin.solved(), pool.view());
}

void check_orders(std::uint64_t seed, std::uint64_t orders, const Growth& growth) {
  for (std::uint64_t trial = 0; trial < orders; ++trial) {
    const FactorKind kind = test::kFactorKinds.at(trial % 2);
    INFO("seed " << seed << " trial " << trial << " " << test::name_of(kind));
    RandomStream random = test::stream_for(seed, trial);
    REQUIRE(errors_after(growth, kind, random).worst() < 1e-12);
  }
}

TEST_CASE("a model grown feature by feature equals a rebuild in ten thousand orders of discovery") {
  check_orders(81, 10'000, {.documents = 8, .features = 6, .density = 0.5, .plays = 12});
}

TEST_CASE("a model grown across the capacities of 16 and 32 and 64 equals a rebuild") {
  check_orders(82, 200, {.documents = 30, .features = 17, .density = 0.2, .plays = 40});
  check_orders(83, 100, {.documents = 30, .features = 34, .density = 0.15, .plays = 60});
  check_orders(84, 40, {.documents = 40, .features = 67, .density = 0.1, .plays = 80});
}

TEST_CASE("a model of all features marked at once equals a rebuild") {
  check_orders(85, 2, {.documents = 60, .features = 200, .density = 0.1, .plays = 150});
}

}  // namespace
}  // namespace inkling
