// Growth by features equals a rebuild, in every order of discovery (PROMISES M3).
#include <cstdint>

#include <doctest/doctest.h>

#include "engine/model/ridge_model.hpp"
#include "tests/support/engine/factor_kinds.hpp"
#include "tests/support/engine/reference_ridge.hpp"
#include "tests/support/engine/ridge_comparison.hpp"
#include "tests/support/engine/taught_model.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::between;

struct Growth {
  std::int32_t documents;
  std::int32_t features;
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
