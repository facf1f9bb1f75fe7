#include "bench/rivals/sketched_learner.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/support/dense_twin.hpp"
#include "tests/support/reference_ridge.hpp"
#include "tests/support/test_pool.hpp"
#include "tests/support/with_threads.hpp"

namespace inkling::bench {
namespace {

using test::Real;

constexpr std::uint64_t kSketchedLearnerSeed = 851;

PoolMatrix random_pool(std::int32_t documents, std::int32_t features, RandomStream& random) {
  return test::random_pool({.documents = documents, .features = features, .density = 0.4, .degenerate = true},
                           random);
}

PolicyOptions options_of(double ridge) {
  PolicyOptions options;
  options.ridge = ridge;
  options.confidence.noise = 0.3;
  return options;
}

/// OFUL on all features, from nothing in each round.
class PlainOful {
 public:
  PlainOful(PoolView pool, const PolicyOptions& options)
      : pool_(pool), options_(options), ridge_(pool, options.ridge) {
    for (FeatureId feature = 0; feature < pool.features(); ++feature) ridge_.adopt(feature);
  }

  void observe(DocumentId document, double reward) { ridge_.observe(document, reward); }
  [[nodiscard]] test::SolvedRidge solved() const { return ridge_.solved(); }
  [[nodiscard]] double radius(const test::SolvedRidge& solved) const {
    return confidence_radius(static_cast<double>(solved.log_det_ratio), options_.ridge, options_.confidence);
  }
  [[nodiscard]] double score(const test::SolvedRidge& solved, DocumentId document) const {
    const SparseRow row = pool_.by_document.row(document);
    return optimism(static_cast<double>(solved.mean(row)), static_cast<double>(solved.square(row)),
                    radius(solved));
  }

 private:
  PoolView pool_;
  PolicyOptions options_;
  test::ReferenceRidge ridge_;
};

/// The largest difference of theta, means and squared widths.
double difference(const SketchedLearner& learner, const test::SolvedRidge& right, PoolView pool) {
  double largest = 0.0;
  for (FeatureId feature = 0; feature < pool.features(); ++feature) {
    const auto weight = static_cast<double>(right.theta[static_cast<std::size_t>(feature)]);
    largest = std::max(largest, std::fabs(learner.weight(feature) - weight));
  }
  for (DocumentId i = 0; i < pool.documents(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const SparseRow row = pool.by_document.row(i);
    largest = std::max(largest, std::fabs(learner.means()[at] - static_cast<double>(right.mean(row))));
    largest = std::max(largest, std::fabs(learner.squares()[at] - static_cast<double>(right.square(row))));
  }
  return largest;
}

TEST_CASE("a sketch of as many directions as the documents have is OFUL choice by choice") {
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    INFO("seed " << kSketchedLearnerSeed << " trial " << trial);
    RandomStream random = test::stream_for(kSketchedLearnerSeed, trial);
    const std::int32_t features = test::between(1, 9, random);
    const PoolMatrix pool = random_pool(test::between(3, 14, random), features, random);
    const SketchOptions wide = {features + test::between(0, 3, random)};
    const PolicyOptions options = options_of(std::ldexp(1.0, test::between(-7, 5, random)));
    SketchedLearner learner(pool.view(), options, wide);
    PlainOful plain(pool.view(), options);
    for (int round = 0; round < 40; ++round) {
      const test::SolvedRidge right = plain.solved();
      REQUIRE(*learner.radius() == doctest::Approx(plain.radius(right)).epsilon(1e-9));
      REQUIRE(difference(learner, right, pool.view()) <= 1e-9);
      const DocumentId chosen = learner.choose(random);
      double best = -std::numeric_limits<double>::infinity();
      for (DocumentId i = 0; i < pool.view().documents(); ++i) best = std::max(best, plain.score(right, i));
      REQUIRE(plain.score(right, chosen) >= best - 1e-9);
      const double reward = random.normal();
      learner.observe(chosen, reward);
      plain.observe(chosen, reward);
    }
  }
}

/// V~ = lambda I + S'S, spelled out.
test::SquareMatrix gram_of(const SketchedLearner& learner, std::int32_t features, double ridge) {
  test::SquareMatrix gram =
      test::identity_times(static_cast<std::size_t>(features), static_cast<Real>(ridge));
  for (FeatureId a = 0; a < features; ++a) {
    for (FeatureId b = 0; b < features; ++b) {
      for (std::size_t r = 0; r < learner.sketch().rows(); ++r) {
        gram.at(static_cast<std::size_t>(a), static_cast<std::size_t>(b)) +=
            static_cast<Real>(learner.sketch().column(a)[r]) *
            static_cast<Real>(learner.sketch().column(b)[r]);
      }
    }
  }
  return gram;
}

TEST_CASE("with few directions theta and widths and radius are those of the sketched gram") {
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    INFO("seed " << kSketchedLearnerSeed << " trial " << trial);
    RandomStream random = test::stream_for(kSketchedLearnerSeed + 1, trial);
    const std::int32_t features = test::between(4, 10, random);
    const PoolMatrix pool = random_pool(12, features, random);
    const PolicyOptions options = options_of(0.5);
    SketchedLearner learner(pool.view(), options, {test::between(1, 3, random)});
    PlainOful plain(pool.view(), options);
    std::vector<Real> reward_sums(static_cast<std::size_t>(features), 0.0L);
    for (int round = 0; round < 30; ++round) {
      const DocumentId document = test::between(0, 11, random);
      const double reward = random.normal();
      learner.observe(document, reward);
      plain.observe(document, reward);
      for (FeatureId a = 0; a < features; ++a) {
        reward_sums[static_cast<std::size_t>(a)] +=
            static_cast<Real>(reward) * static_cast<Real>(value_at(pool.view().by_document.row(document), a));
      }
    }
    const test::TextbookFactor factor(gram_of(learner, features, 0.5));
    const std::vector<Real> theta = factor.solve(reward_sums);
    const test::SolvedRidge exact = plain.solved();
    for (FeatureId a = 0; a < features; ++a) {
      const auto right = static_cast<double>(theta[static_cast<std::size_t>(a)]);
      CHECK(std::fabs(learner.weight(a) - right) <= 1e-9);
    }
    for (DocumentId i = 0; i < 12; ++i) {
      std::vector<Real> x(static_cast<std::size_t>(features));
      const SparseRow row = pool.view().by_document.row(i);
      for (FeatureId a = 0; a < features; ++a) {
        x[static_cast<std::size_t>(a)] = static_cast<Real>(value_at(row, a));
      }
      const auto at = static_cast<std::size_t>(i);
      const auto square = static_cast<double>(test::inner(x, factor.solve(x)));
      CHECK(std::fabs(learner.means()[at] - static_cast<double>(test::inner(x, theta))) <= 1e-9);
      CHECK(std::fabs(learner.squares()[at] - square) <= 1e-9);
      // A sketch never knows more than it was told: no width is below the exact one.
      CHECK(square >= static_cast<double>(exact.square(row)) - 1e-9);
    }
    const double log_det_ratio = static_cast<double>(factor.log_det()) - features * std::log(0.5);
    CHECK(*learner.radius() ==
          doctest::Approx(sketched_radius({log_det_ratio, learner.sketch().lost(), std::min(features, 30)},
                                          0.5, options.confidence)));
    CHECK(*learner.radius() >= plain.radius(exact));
  }
}

TEST_CASE("the radius is that of the theorem by hand and OFUL's where nothing is lost") {
  const ConfidenceOptions options{.noise = 0.5, .norm_bound = 2.0, .delta = 0.1};
  CHECK(sketched_radius({1.5, 0.0, 7}, 4.0, options) ==
        doctest::Approx(confidence_radius(1.5, 4.0, options)).epsilon(1e-15));
  // lambda = 4 and lost = 2 make eps = 1/2.
  const double right =
      0.5 * std::sqrt(1.5 * (1.5 + 7.0 * std::log(1.5) + 2.0 * std::log(10.0))) + 2.0 * 2.0 * 1.5;
  CHECK(sketched_radius({1.5, 2.0, 7}, 4.0, options) == doctest::Approx(right).epsilon(1e-14));
}

TEST_CASE("a retired document is never chosen and an observed one may be") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 3.0F}}, {{1, 2.0F}}, {}});
  RandomStream random = test::stream_for(kSketchedLearnerSeed);
  SketchedLearner learner(pool.view(), options_of(1.0), SketchOptions{2});
  CHECK(learner.features_in_use() == 2);
  CHECK(learner.uses(1));
  CHECK(learner.choose(random) == 0);
  learner.retire(0);
  CHECK(learner.choose(random) == 1);
  learner.observe(0, -1.0);
  learner.retire(1);
  CHECK(learner.choose(random) == 2);
}

TEST_CASE("a bad reward is refused and changes nothing") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 3.0F}}, {{1, 2.0F}}});
  SketchedLearner learner(pool.view(), options_of(1.0), SketchOptions{1});
  learner.observe(0, 1.0);
  const std::vector<double> before(learner.means().begin(), learner.means().end());
  CHECK_THROWS_AS(learner.observe(1, std::numeric_limits<double>::quiet_NaN()), FormatError);
  CHECK_THROWS_AS(learner.observe(1, 1e101), FormatError);
  CHECK(std::ranges::equal(learner.means(), before));
}

TEST_CASE("a ridge that rounding eats leaves finite numbers") {
  const PoolMatrix pool = test::pool_of(3, {{{0, 30.0F}, {1, 1.0F}}, {{0, 30.0F}, {1, 1.0F}}, {{2, 1e-3F}}});
  SketchedLearner learner(pool.view(), options_of(1e-14), SketchOptions{2});
  for (int round = 0; round < 40; ++round) learner.observe(round % 3, 1.0);
  for (const double mean : learner.means()) CHECK(std::isfinite(mean));
  for (const double square : learner.squares()) CHECK(std::isfinite(square));
}

TEST_CASE("the same bits come out at one and two and eight threads") {
  RandomStream random = test::stream_for(kSketchedLearnerSeed, 7);
  const PoolMatrix pool = random_pool(6000, 30, random);
  const auto run = [&] {
    SketchedLearner learner(pool.view(), options_of(1.0), SketchOptions{4});
    RandomStream reader = test::stream_for(kSketchedLearnerSeed, 8);
    std::vector<double> seen;
    for (int round = 0; round < 25; ++round) {
      const DocumentId chosen = learner.choose(reader);
      learner.observe(chosen, reader.normal());
      learner.retire(chosen);
      seen.push_back(chosen);
      seen.push_back(*learner.radius());
    }
    seen.insert(seen.end(), learner.means().begin(), learner.means().end());
    seen.insert(seen.end(), learner.squares().begin(), learner.squares().end());
    return seen;
  };
  const std::vector<double> alone = test::with_threads(1, run);
  CHECK(test::with_threads(2, run) == alone);
  CHECK(test::with_threads(8, run) == alone);
}

}  // namespace
}  // namespace inkling::bench
