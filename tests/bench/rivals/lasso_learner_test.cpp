#include "bench/rivals/lasso_learner.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/support/reference_ridge.hpp"
#include "tests/support/test_pool.hpp"
#include "tests/support/with_threads.hpp"

namespace inkling::bench {
namespace {

constexpr std::uint64_t kLassoLearnerSeed = 871;

TEST_CASE("before any feature stands out documents that remain are drawn") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}}, {{1, 1.0F}}, {}, {{0, 1.0F}, {1, 1.0F}}});
  LassoLearner learner(pool.view(), {.scale = 10.0});
  learner.retire(2);
  RandomStream random = test::stream_for(kLassoLearnerSeed);
  std::set<DocumentId> drawn;
  for (int round = 0; round < 60; ++round) drawn.insert(learner.choose(random));
  CHECK(drawn == std::set<DocumentId>{0, 1, 3});
  learner.observe(0, 1.0);
  CHECK(learner.support().empty());
  CHECK(learner.weight(0) == 0.0);
}

TEST_CASE("the feature that brings reward is found and the best document by it is chosen") {
  const PoolMatrix pool = test::pool_of(
      3, {{{0, 1.0F}, {1, 1.0F}}, {{1, 1.0F}, {2, 1.0F}}, {{0, 2.0F}}, {{2, 2.0F}}, {{0, 2.0F}}});
  LassoLearner learner(pool.view(), {.scale = 0.01});
  for (int round = 0; round < 8; ++round) {
    const DocumentId document = round % 4;
    learner.observe(document, value_at(pool.view().by_document.row(document), 0));
  }
  CHECK(std::ranges::equal(learner.support(), std::vector<FeatureId>{0}));
  CHECK(learner.weight(0) == doctest::Approx(1.0).epsilon(1e-6));
  CHECK(learner.weight(1) == 0.0);
  RandomStream random = test::stream_for(kLassoLearnerSeed);
  CHECK(learner.choose(random) == 2);  // of two that are the same
  learner.retire(2);
  CHECK(learner.choose(random) == 4);
  learner.retire(4);
  CHECK(learner.choose(random) == 0);
}

/// The ridge of the least squares is 1e-8 of the largest squared length.
double tiny_ridge(CsrView documents) {
  double largest = 0.0;
  for (std::int32_t i = 0; i < documents.rows(); ++i)
    largest = std::max(largest, squared_norm(documents.row(i)));
  return 1e-8 * largest;
}

struct LassoPlay {
  DocumentId document;
  double reward;
};

/// Least squares on these features, from nothing.
test::SolvedRidge least_squares(PoolView pool, const std::vector<LassoPlay>& plays,
                                const std::vector<FeatureId>& support) {
  test::ReferenceRidge squares(pool, tiny_ridge(pool.by_document));
  for (const FeatureId feature : support) squares.adopt(feature);
  for (const LassoPlay& play : plays) squares.observe(play.document, play.reward);
  return squares.solved();
}

TEST_CASE("round by round the weights are least squares on what the thresholds leave of the Lasso") {
  int rounds_with_support = 0;
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    INFO("seed " << kLassoLearnerSeed << " trial " << trial);
    RandomStream random = test::stream_for(kLassoLearnerSeed, trial);
    const PoolMatrix pool = test::random_pool({.documents = 20, .features = 8, .density = 0.4}, random);
    const CsrView documents = pool.view().by_document;
    std::vector<double> truth(8, 0.0);
    truth[static_cast<std::size_t>(test::between(0, 7, random))] = 1.0;
    truth[static_cast<std::size_t>(test::between(0, 7, random))] = -1.0;
    LassoLearner learner(pool.view(), {.scale = 0.05});
    Lasso lasso(documents);
    std::vector<LassoPlay> plays;
    for (int round = 1; round <= 15; ++round) {
      const DocumentId document = learner.choose(random);
      const double reward = dot(documents.row(document), truth) + 0.05 * random.normal();
      learner.observe(document, reward);
      plays.push_back({document, reward});

      const double t = round;
      const double penalty = 0.05 * std::sqrt(2.0 * std::log(std::max(t, 2.0)) * std::log(8.0) / t);
      lasso.observe(document, reward);
      lasso.solve(penalty);
      const std::vector<FeatureId> support = thresholded_support(lasso.theta(), lasso.support(), penalty);
      std::vector<FeatureId> found(learner.support().begin(), learner.support().end());
      std::ranges::sort(found);
      REQUIRE(found == support);
      if (support.empty()) continue;
      ++rounds_with_support;
      const test::SolvedRidge right = least_squares(pool.view(), plays, support);
      for (std::size_t a = 0; a < support.size(); ++a) {
        REQUIRE(learner.weight(support[a]) ==
                doctest::Approx(static_cast<double>(right.theta[a])).epsilon(1e-6));
      }
    }
  }
  CHECK(rounds_with_support > 100);
}

TEST_CASE("empty documents and zero rewards and a refused reward do no harm") {
  const PoolMatrix pool = test::pool_of(1, {{}, {}, {{0, 0.0F}}});
  LassoLearner learner(pool.view(), {.scale = 0.1});
  RandomStream random = test::stream_for(kLassoLearnerSeed);
  for (int round = 0; round < 5; ++round) learner.observe(learner.choose(random), 0.0);
  learner.observe(2, 1.0);
  CHECK(learner.support().empty());
  CHECK_THROWS_AS(learner.observe(0, std::numeric_limits<double>::infinity()), FormatError);
  CHECK_NOTHROW(learner.observe(0, 1.0));
}

TEST_CASE("the same choices come out at one and two and eight threads") {
  RandomStream random = test::stream_for(kLassoLearnerSeed, 9);
  const PoolMatrix pool =
      test::random_pool({.documents = 40'000, .features = 30, .density = 0.1, .degenerate = true}, random);
  const auto run = [&] {
    LassoLearner learner(pool.view(), {.scale = 0.02});
    RandomStream reader = test::stream_for(kLassoLearnerSeed, 10);
    std::vector<double> seen;
    for (int round = 0; round < 60; ++round) {
      const DocumentId chosen = learner.choose(reader);
      learner.observe(chosen, value_at(pool.view().by_document.row(chosen), 3) + 0.1 * reader.normal());
      learner.retire(chosen);
      seen.push_back(chosen);
      seen.push_back(learner.weight(3));
    }
    return seen;
  };
  const std::vector<double> alone = test::with_threads(1, run);
  CHECK(std::ranges::any_of(alone, [](double value) { return value > 0.5 && value < 1.5; }));
  CHECK(test::with_threads(2, run) == alone);
  CHECK(test::with_threads(8, run) == alone);
}

}  // namespace
}  // namespace inkling::bench
