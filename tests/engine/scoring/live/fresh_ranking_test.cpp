// Compares the best documents, ranked from the model alone, with the scores of all documents one by one.
#include "engine/scoring/live/fresh_ranking.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <doctest/doctest.h>

#include "engine/model/ridge_model.hpp"
#include "engine/scoring/live/relevant_rows.hpp"
#include "engine/scoring/live/restricted_score.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/engine/with_threads.hpp"

namespace inkling {
namespace {

using test::between;

constexpr std::uint64_t kRankingSeed = 20'261'202;

/// The plain twin: scores each document by its row, and sorts all.
std::vector<Ranked> plain_ranking(const RidgeModel& model, PoolView pool, double radius, std::size_t count,
                                  const Remains& remains) {
  const RestrictedScore score(model.theta(), model.kept_inverse(), model.ridge(), radius);
  RelevantRows rows(pool.by_document);
  std::vector<Ranked> all;
  for (DocumentId i = 0; i < pool.documents(); ++i)
    if (remains(i)) all.push_back({i, score.score(rows.row(i, model.features()))});
  std::ranges::sort(all, ranks_before);
  all.resize(std::min(count, all.size()));
  return all;
}

RidgeModel taught_model(PoolView pool, double ridge, RandomStream& random) {
  RidgeModel model(pool.features(), {.ridge = ridge, .factor = FactorKind::dense, .inverse = InverseUse::kept});
  for (const FeatureId feature : test::shuffled(pool.features(), random))
    if (random.coin(0.6)) model.adopt(feature);
  const int rewards = between(0, 30, random);
  for (int n = 0; n < rewards; ++n) test::learn(model, pool, between(0, pool.documents() - 1, random), random.normal());
  return model;
}

TEST_CASE("a ranking from the model alone is that of single scores to the last bit") {
  test::each_case(kRankingSeed, 1500, [&](RandomStream& random) {
    const PoolMatrix pool = test::random_pool({.documents = between(1, 60, random),
                                               .features = between(1, 12, random),
                                               .density = 0.1 + 0.6 * random.uniform(),
                                               .degenerate = true,
                                               .wild_values = random.coin(0.5)},
                                              random);
    const RidgeModel model = taught_model(pool.view(), std::ldexp(1.0, between(-7, 10, random)), random);
    const double radius = random.coin(0.2) ? 0.0 : 3.0 * random.uniform();
    const std::int32_t left_out = between(1, 5, random);
    const auto remains = [&](DocumentId document) { return document % left_out != 1; };
    for (const std::size_t count : {0U, 1U, 2U, 7U, 1000U})
      REQUIRE(test::same_ranking(fresh_ranking(model, pool.view(), radius, count, remains),
                                 plain_ranking(model, pool.view(), radius, count, remains)));
  });
}

TEST_CASE("a ranking of many blocks is the same at any number of threads") {
  RandomStream random = test::stream_for(kRankingSeed + 1);
  // Only a few different rows, so that equal scores occur in many blocks.
  const PoolMatrix kinds = test::random_pool({.documents = 400, .features = 9, .density = 0.3, .degenerate = true}, random);
  CsrMatrix rows(9);
  constexpr std::int32_t documents = 400'000;
  for (std::int32_t i = 0; i < documents; ++i) rows.append_row(kinds.view().by_document.row(between(0, 399, random)));
  const PoolMatrix pool(std::move(rows));
  const RidgeModel model = taught_model(pool.view(), 1.0, random);
  const auto remains = [](DocumentId document) { return document % 3 != 0; };
  for (const std::size_t count : {1U, 50U}) {
    const std::vector<Ranked> expected = plain_ranking(model, pool.view(), 0.7, count, remains);
    for (const int threads : {1, 2, 8})
      REQUIRE(test::same_ranking(
          test::with_threads(threads, [&] { return fresh_ranking(model, pool.view(), 0.7, count, remains); }), expected));
  }
}

}  // namespace
}  // namespace inkling
