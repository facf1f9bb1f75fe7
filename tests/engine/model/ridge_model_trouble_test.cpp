// Extreme feedback and numbers are refused by name, lead to a rebuild, or give a NumericalError, but never a wrong answer
// (PROMISES M2 and M5).
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/model/ridge_model.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/reference_ridge.hpp"
#include "tests/support/engine/ridge_comparison.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::between, test::kFactorKinds, test::name_of;

constexpr double kInfiniteReward = std::numeric_limits<double>::infinity();
constexpr double kNanReward = std::numeric_limits<double>::quiet_NaN();

PoolMatrix some_pool() { return test::pool_of(3, {{{0, 1.0F}, {1, 2.0F}}, {{2, 2.0F}}, {{0, 3.0F}}}); }

TEST_CASE("a reward that is not finite or absurdly large is refused by name and changes nothing") {
  for (const FactorKind kind : kFactorKinds) {
    const PoolMatrix pool = some_pool();
    RidgeModel model(pool.view().features(), {.ridge = 1.0, .factor = kind});
    test::ReferenceRidge twin(pool.view(), 1.0);
    model.adopt(0);
    twin.adopt(0);
    test::learn(model, pool.view(), 2, 1.5);
    twin.observe(2, 1.5);
    for (const double bad : {kNanReward, kInfiniteReward, -kInfiniteReward, 1e308, -1e308, 1.0001e100}) {
      INFO(name_of(kind) << ": " << bad);
      std::string where;
      try {
        test::learn(model, pool.view(), 2, bad);
      } catch (const FormatError& error) {
        where = error.where();
      }
      CHECK(where == "reward of document 2");
      CHECK(model.played().in_order().size() == 1);
      CHECK(model.played().find(2)->plays == 1);
      CHECK(test::errors_of(model, twin.solved(), pool.view()).worst() < 1e-15);
    }
  }
}

TEST_CASE("a model whose precision falls far is as exact as one whose precision was low from the start") {
  // Went wrong: at 1e8 and 1, what was left of 1 + delta (V^-1)_jj were rounding errors; weights were 9e-4 off.
  RandomStream random = test::stream_for(77);
  const PoolMatrix pool = test::random_pool({.documents = 60, .features = 20}, random);
  for (const FactorKind kind : kFactorKinds) {
    for (const double high : {1e3, 1e6, 1e8, 1e12}) {
      CAPTURE(name_of(kind));
      CAPTURE(high);
      RidgeModel model(pool.view().features(), {.ridge = 1.0, .factor = kind});
      test::ReferenceRidge twin(pool.view(), 1.0);
      for (FeatureId feature = 0; feature < pool.view().features(); ++feature) {
        model.adopt(feature);
        twin.adopt(feature);
        model.reweigh(feature, high);
        twin.reweigh(feature, high);
      }
      for (DocumentId document = 0; document < 40; ++document) {
        const double reward = random.normal();
        test::learn(model, pool.view(), document, reward);
        twin.observe(document, reward);
      }
      for (FeatureId feature = 0; feature < pool.view().features(); feature += 2) {
        model.reweigh(feature, 1.0);
        twin.reweigh(feature, 1.0);
      }
      CHECK(test::errors_of(model, twin.solved(), pool.view()).worst() < 1e-9);
      CHECK((model.rebuilds() > 0) == (high > 1e4));
    }
  }
}

TEST_CASE("the largest reward is learned without overflow") {
  for (const FactorKind kind : kFactorKinds) {
    CAPTURE(name_of(kind));
    const PoolMatrix pool = some_pool();
    RidgeModel model(pool.view().features(), {.ridge = 1.0, .factor = kind});
    model.adopt(0);
    test::learn(model, pool.view(), 2, kLargestReward);
    test::learn(model, pool.view(), 2, -kLargestReward);
    CHECK(std::fabs(model.theta()[0]) <= 1e-10 * kLargestReward);
  }
}

TEST_CASE("a row or a feature outside the pool is refused") {
  RidgeModel model(3, {});
  const std::vector<float> two_values = {1.0F, 2.0F};
  for (const std::vector<FeatureId>& features : {std::vector{0, 3}, std::vector{-1, 2}, std::vector{1, 1}})
    CHECK_THROWS_AS(model.observe(0, {features, two_values}, 1.0), FormatError);
  for (const FeatureId feature : {-1, 3}) {
    CHECK_THROWS_WITH_AS(model.adopt(feature),
                         ("feature " + std::to_string(feature) + ": expected a feature from 0 to 2").c_str(), FormatError);
  }
  CHECK(model.played().in_order().empty());
  CHECK(model.features().empty());
}

TEST_CASE("the largest floats and the smallest ridge give finite answers or a numerical error") {
  const float huge = 3e38F;
  for (const FactorKind kind : kFactorKinds) {
    for (const double ridge : {kSmallestRidge, 1.0, kLargestRidge}) {
      INFO(name_of(kind) << " ridge " << ridge);
      const PoolMatrix pool = test::pool_of(2, {{{0, huge}}, {{1, huge}}, {{0, 1e-38F}}});
      test::ReferenceRidge twin(pool.view(), ridge);
      RidgeModel model(pool.view().features(), {.ridge = ridge, .factor = kind});
      for (const FeatureId feature : {0, 1}) {
        model.adopt(feature);
        twin.adopt(feature);
        test::learn(model, pool.view(), feature, 2.0);
        twin.observe(feature, 2.0);
      }
      CHECK(test::errors_of(model, twin.solved(), pool.view()).worst() < 1e-12);
      CHECK(model.rebuilds() == 0);
    }
  }
}

/// A model of features that are nearly copies of each other, of values so large that the ridge drowns.
struct Drowned {
  PoolMatrix pool;
  RidgeModel model;
  test::ReferenceRidge twin;
  std::vector<FeatureId> born = {};

  Drowned(PoolMatrix documents, FactorKind kind)
      : pool(std::move(documents)), model(pool.view().features(), {.ridge = 1.0, .factor = kind}), twin(pool.view(), 1.0) {}

  /// Makes a random event, and returns whether the model rebuilt itself.
  bool step(RandomStream& random) {
    const auto features = static_cast<std::size_t>(pool.view().features());
    if (born.size() < features && random.coin(0.5)) {
      born.push_back(static_cast<FeatureId>(born.size()));
      twin.adopt(born.back());
      return model.adopt(born.back()).rebuilt;
    }
    const DocumentId document = between(0, pool.view().documents() - 1, random);
    twin.observe(document, 1.0);
    return test::learn(model, pool.view(), document, 1.0).rebuilt;
  }
};

PoolMatrix nearly_collinear_pool(RandomStream& random) {
  const std::int32_t features = between(2, 5, random);
  const double magnitude = std::pow(10.0, 6.5 + 2.0 * random.uniform());
  std::vector<test::RowOfEntries> rows(static_cast<std::size_t>(between(1, 4, random)));
  for (test::RowOfEntries& row : rows)
    for (FeatureId feature = 0; feature < features; ++feature)
      row.push_back({feature, static_cast<float>(magnitude * (0.5 + random.uniform()))});
  return test::pool_of(features, rows);
}

TEST_CASE("a gram that loses definiteness is rebuilt or refused and never silently wrong") {
  constexpr std::uint64_t seed = 91;
  int survived = 0;
  int recovered = 0;
  int refused = 0;
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    const FactorKind kind = kFactorKinds.at(trial % 2);
    INFO("seed " << seed << " trial " << trial << " " << name_of(kind));
    RandomStream random = test::stream_for(seed, trial);
    Drowned drowned(nearly_collinear_pool(random), kind);
    std::int64_t rebuilds = 0;
    try {
      for (int step = 0; step < 20; ++step) rebuilds += drowned.step(random) ? 1 : 0;
      REQUIRE(drowned.model.rebuilds() == rebuilds);
      REQUIRE(drowned.model.last_trouble().empty() == (rebuilds == 0));
      const test::SolvedRidge right = drowned.twin.solved();
      const double promised = 100.0 * static_cast<double>(right.condition_bound) * 0x1p-52;
      REQUIRE(test::errors_of(drowned.model, right, drowned.pool.view()).worst() <= promised);
      ++(rebuilds > 0 ? recovered : survived);
    } catch (const NumericalError&) {
      ++refused;
    }
  }
  MESSAGE(survived << " survived, " << recovered << " recovered by a rebuild, " << refused << " refused");
  CHECK(survived > 100);
  CHECK(recovered > 10);
  CHECK(refused > 100);
}

TEST_CASE("contradictory rewards and precisions leave nothing behind") {
  for (const FactorKind kind : kFactorKinds) {
    CAPTURE(name_of(kind));
    RandomStream random = test::stream_for(92);
    const PoolMatrix pool = test::random_pool({.documents = 20, .features = 10, .density = 0.4}, random);
    RidgeModel model(pool.view().features(), {.ridge = 1.0, .factor = kind});
    test::ReferenceRidge twin(pool.view(), 1.0);
    for (int round = 0; round < 3000; ++round) {
      const DocumentId document = between(0, 19, random);
      test::learn(model, pool.view(), document, round % 2 == 0 ? 1.0 : -1.0);
      twin.observe(document, round % 2 == 0 ? 1.0 : -1.0);
      const FeatureId feature = between(0, 9, random);
      if (model.features().contains(feature)) {
        const double precision = std::ldexp(1.0, round % 2 == 0 ? 6 : -6);
        model.reweigh(feature, precision);
        twin.reweigh(feature, precision);
      } else {
        model.adopt(feature);
        twin.adopt(feature);
      }
      REQUIRE(model.factor().stored_entries() <= 45 + 10 * 20);  // bounded by capacity, not by rounds
    }
    CHECK(test::errors_of(model, twin.solved(), pool.view()).worst() < 1e-10);
    CHECK(model.rebuilds() == 0);
  }
}

TEST_CASE("a model without any mark only remembers") {
  const PoolMatrix pool = some_pool();
  RidgeModel model(pool.view().features(), {});
  for (int round = 0; round < 10'000; ++round) test::learn(model, pool.view(), round % 3, 1.0);
  CHECK(model.played().in_order().size() == 3);
  CHECK(model.theta().empty());
  CHECK(model.log_det_ratio() == 0.0);
}

}  // namespace
}  // namespace inkling
