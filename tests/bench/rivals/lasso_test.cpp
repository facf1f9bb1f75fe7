#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "bench/rivals/lasso_learner.hpp"
#include "tests/support/reference_lasso.hpp"
#include "tests/support/test_pool.hpp"

namespace inkling::bench {
namespace {

using test::Observation;
using test::Real;

constexpr std::uint64_t kLassoSeed = 831;

struct Problem {
  CsrMatrix documents;
  std::vector<Observation> plays;
};

/// Few words matter; sometimes none does and every reward is 0. Documents may be empty, repeated, of one
/// word, and played again.
Problem random_problem(RandomStream& random) {
  const std::int32_t features = test::between(1, 12, random);
  Problem problem{test::random_matrix({.documents = test::between(1, 12, random),
                                       .features = features,
                                       .density = 0.2 + 0.6 * random.uniform(),
                                       .degenerate = true},
                                      random),
                  {}};
  std::vector<double> truth(static_cast<std::size_t>(features), 0.0);
  const bool silent = random.coin(0.1);
  for (double& weight : truth) {
    if (!silent && random.coin(0.3)) weight = random.normal();
  }
  for (std::int32_t play = test::between(1, 25, random); play > 0; --play) {
    const std::int32_t document = test::between(0, problem.documents.view().rows() - 1, random);
    const double noise = silent ? 0.0 : 0.2 * random.normal();
    problem.plays.push_back({document, dot(problem.documents.view().row(document), truth) + noise});
  }
  return problem;
}

/// The largest |slope| where nothing has a weight: above it every weight is 0.
double largest_penalty(const Problem& problem) {
  const std::vector<double> nothing(static_cast<std::size_t>(problem.documents.view().columns()), 0.0);
  return static_cast<double>(test::lasso_violation(problem.documents.view(), problem.plays, nothing, 0.0));
}

TEST_CASE("one word in one document is shrunk as by hand") {
  const CsrMatrix documents = test::matrix_of(2, {{{0, 2.0F}}});
  Lasso lasso(documents.view());
  lasso.observe(0, 3.0);
  lasso.solve(2.0);  // (3 - 2 w)^2 + 2 |w| is least where 4 (2 w - 3) + 2 = 0
  CHECK(lasso.theta()[0] == doctest::Approx(1.25));
  CHECK(std::ranges::equal(lasso.support(), std::vector<FeatureId>{0}));
  lasso.solve(12.0);
  CHECK(lasso.theta()[0] == 0.0);
  CHECK(lasso.support().empty());
}

TEST_CASE("on hundreds of problems a solution is optimal and as good as the plain twin's") {
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    INFO("seed " << kLassoSeed << " trial " << trial);
    RandomStream random = test::stream_for(kLassoSeed, trial);
    const Problem problem = random_problem(random);
    const CsrView documents = problem.documents.view();
    const double largest = largest_penalty(problem);
    const double penalty = largest * (random.coin(0.1) ? 1.001 : 0.02 + 0.9 * random.uniform());
    Lasso lasso(documents);
    for (const Observation& play : problem.plays) lasso.observe(play.document, play.reward);
    lasso.solve(penalty);

    const std::vector<double> right = test::reference_lasso(documents, problem.plays, penalty);
    const Real violation = test::lasso_violation(documents, problem.plays, lasso.theta(), penalty);
    const Real objective = test::lasso_objective(documents, problem.plays, lasso.theta(), penalty);
    const Real least = test::lasso_objective(documents, problem.plays, right, penalty);
    CHECK(violation <= 1e-6L * static_cast<Real>(largest));
    CHECK(objective <= least * (1.0L + 1e-12L));
    CHECK(least <= objective * (1.0L + 1e-12L));
    for (FeatureId j = 0; j < documents.columns(); ++j) {
      CHECK(std::ranges::binary_search(lasso.support(), j) ==
            (lasso.theta()[static_cast<std::size_t>(j)] != 0.0));
    }
  }
}

TEST_CASE("solving after each play ends where solving once does") {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    INFO("seed " << kLassoSeed << " trial " << trial);
    RandomStream random = test::stream_for(kLassoSeed + 1, trial);
    const Problem problem = random_problem(random);
    const double penalty = 0.2 * largest_penalty(problem);
    Lasso warm(problem.documents.view());
    for (const Observation& play : problem.plays) {
      warm.observe(play.document, play.reward);
      warm.solve(2.0 * random.uniform() * penalty);
    }
    warm.solve(penalty);
    Lasso cold(problem.documents.view());
    for (const Observation& play : problem.plays) cold.observe(play.document, play.reward);
    cold.solve(penalty);
    const Real left = test::lasso_objective(problem.documents.view(), problem.plays, warm.theta(), penalty);
    const Real right = test::lasso_objective(problem.documents.view(), problem.plays, cold.theta(), penalty);
    CHECK(std::fabs(left - right) <= 1e-12L * right);
  }
}

TEST_CASE("thresholds keep what exceeds four penalties and then what exceeds the root of their number more") {
  const std::vector<double> theta = {0.0, 0.5, -1.7, 0.4, 3.0, -0.9};
  const std::vector<FeatureId> support = {1, 2, 3, 4, 5};
  // Above 0.4: features 1, 2, 4 and 5. Then above 0.4 sqrt(4) = 0.8.
  CHECK(thresholded_support(theta, support, 0.1) == std::vector<FeatureId>{2, 4, 5});
  // Above 2: feature 4 alone, and so above 2 sqrt(1).
  CHECK(thresholded_support(theta, support, 0.5) == std::vector<FeatureId>{4});
  CHECK(thresholded_support(theta, support, 0.75).empty());
  CHECK(thresholded_support(theta, support, 0.0) == support);
  CHECK(thresholded_support(theta, {}, 0.1).empty());
}

}  // namespace
}  // namespace inkling::bench
