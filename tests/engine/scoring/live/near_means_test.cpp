// Compares means that follow a model with the means themselves, after every event of random searches.
#include "engine/scoring/live/near_means.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <doctest/doctest.h>

#include "engine/model/dual_ridge_model.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::between;

constexpr std::uint64_t kNearSeed = 1405;
constexpr FeatureId kCommon = 4;  // so many words are in half of the documents, which is more than are added one by one

/// Rows of 30 words or so, most of which few documents hold.
PoolMatrix long_tailed_pool(std::int32_t documents, std::int32_t features, bool has_negative, RandomStream& random) {
  std::vector<test::RowOfEntries> rows(static_cast<std::size_t>(documents));
  for (test::RowOfEntries& row : rows) {
    std::set<FeatureId> held;
    for (FeatureId feature = 0; feature < kCommon; ++feature)
      if (random.coin(0.5)) held.insert(feature);
    for (int word = 0; word < 30; ++word) held.insert(between(kCommon, features - 1, random));
    for (const FeatureId feature : held) {
      const double size = 0.2 + random.uniform();
      row.emplace_back(feature, static_cast<float>(has_negative && random.coin(0.2) ? -size : size));
    }
  }
  return test::pool_of(features, rows);
}

TEST_CASE("means bound those of the model and equal them where nothing is left out - whether or not a rating is good") {
  test::each_case(kNearSeed, test::cases(10U), [&](RandomStream& random, std::uint64_t number) {
    const double good = number % 2 == 0 ? 0.0 : 0.3;  // how many of the ratings
    const std::int32_t features = between(3000, 20'000, random);
    const PoolMatrix pool = long_tailed_pool(between(2200, 3000, random), features, random.coin(0.2), random);
    const PoolView view = pool.view();
    DualRidgeModel model(features, {.ridge = std::ldexp(1.0, between(-6, 6, random)), .base = 1.0});
    model.start_with(test::all_up_to(features));
    NearMeans means(view, nullptr);
    for (int round = 0; round < 25; ++round) {
      test::learn(model, view, between(0, view.documents() - 1, random), random.coin(good) ? 1.0 : -1.0);
      // What is left out is dear, cheap or free.
      const double each = random.coin(0.4) ? std::numeric_limits<double>::infinity() : random.coin(0.5) ? 1e4 : 0.0;
      means.follow({model.coordinates(), model.theta(), model.base_mean()},
                   [&](double slack) { return slack == 0.0 ? 0.0 : each * slack; });
      const double largest_product = std::sqrt(means.largest_norm_square() * means.theta_square());
      if (means.exact()) REQUIRE(means.slack() <= 2e-2 * largest_product);
      const std::vector<double> theta = model.weights();
      double highest = -std::numeric_limits<double>::infinity();
      for (DocumentId i = 0; i < view.documents(); ++i) {
        const double mean = dot(view.by_document.row(i), theta) + model.base_mean();
        REQUIRE(mean <= means[i] + means.slack());
        if (means.exact()) REQUIRE(mean >= means[i] - means.slack());
        highest = std::max(highest, means[i]);
        if ((i + 1) % NearMeans::kGrouped != 0 && i + 1 != view.documents()) continue;
        REQUIRE(means.highest(i / NearMeans::kGrouped) == highest);
        highest = -std::numeric_limits<double>::infinity();
      }
    }
  });
}

}  // namespace
}  // namespace inkling
