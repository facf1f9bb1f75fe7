#include "engine/model/cholesky_factor.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include "engine/model/played_documents.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/factor_walk.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::kFactorKinds, test::name_of;

struct Row {
  std::vector<std::int32_t> positions;
  std::vector<double> values;
  [[nodiscard]] RestrictedRow view() const { return {positions, values}; }
};

std::vector<double> solved(const CholeskyFactor& factor, const std::vector<double>& b) {
  std::vector<double> solution(b.size());
  factor.solve(b, solution);
  return solution;
}

TEST_CASE("a new factor is empty and has no capacity") {
  for (const FactorKind kind : kFactorKinds) {
    CAPTURE(name_of(kind));
    const auto factor = make_cholesky_factor(kind);
    CHECK(factor->size() == 0);
    CHECK_FALSE(factor->has_room());
    CHECK(factor->stored_entries() == 0);
    CHECK(factor->inverse_form({}) == 0.0);
    CHECK(factor->log_det_ratio(1.0) == 0.0);
  }
}

TEST_CASE("a factor of a two by two gram agrees with a calculation by hand through every event") {
  for (const FactorKind kind : kFactorKinds) {
    CAPTURE(name_of(kind));
    const auto factor = make_cholesky_factor(kind);
    PlayedRows rows;
    rows.append(Row{{0, 1}, {1.0, 1.0}}.view(), 1.0);

    factor->rebuild(rows, 1.0, 2, 3);  // V = (2 1; 1 2), V^-1 = (2 -1; -1 2)/3
    std::vector<double> two(2);
    factor->multiply(std::vector<double>{3.0, -1.0}, two);
    CHECK(two[0] == doctest::Approx(5.0));
    CHECK(two[1] == doctest::Approx(1.0));
    factor->diagonal(two);
    CHECK(two[0] == doctest::Approx(2.0));
    CHECK(two[1] == doctest::Approx(2.0));
    CHECK(solved(*factor, {3.0, 0.0})[0] == doctest::Approx(2.0));
    CHECK(solved(*factor, {3.0, 0.0})[1] == doctest::Approx(-1.0));
    CHECK(factor->inverse_form(Row{{1}, {3.0}}.view()) == doctest::Approx(6.0));
    CHECK(factor->log_det_ratio(1.0) == doctest::Approx(std::log(3.0)));

    factor->update(Row{{0}, {1.0}}.view());  // V = (3 1; 1 2)
    CHECK(solved(*factor, {5.0, 0.0})[0] == doctest::Approx(2.0));
    CHECK(solved(*factor, {5.0, 0.0})[1] == doctest::Approx(-1.0));

    CHECK(factor->has_room());
    CHECK(factor->append(std::vector<double>{1.0, 0.0}, 2.0) == doctest::Approx(1.6));  // V = (3 1 1; 1 2 0; 1 0 2)
    CHECK_FALSE(factor->has_room());
    CHECK(factor->size() == 3);
    CHECK(factor->log_det_ratio(1.0) == doctest::Approx(std::log(8.0)));
  }
}

TEST_CASE("a row of weight n counts as n plays") {
  for (const FactorKind kind : kFactorKinds) {
    CAPTURE(name_of(kind));
    const Row row{{0, 1}, {1.0, -2.0}};
    PlayedRows weighted;
    weighted.append(row.view(), 3.0);
    const auto at_once = make_cholesky_factor(kind);
    at_once->rebuild(weighted, 0.5, 2, 2);
    const auto one_by_one = make_cholesky_factor(kind);
    one_by_one->rebuild({}, 0.5, 2, 2);
    for (int play = 0; play < 3; ++play) one_by_one->update(row.view());
    for (std::size_t i = 0; i < 2; ++i)
      CHECK(solved(*at_once, {1.0, 2.0})[i] == doctest::Approx(solved(*one_by_one, {1.0, 2.0})[i]).epsilon(1e-13));
  }
}

TEST_CASE("the order of a row's positions does not matter") {
  for (const FactorKind kind : kFactorKinds) {
    CAPTURE(name_of(kind));
    std::vector<std::vector<double>> solutions;
    for (const Row& row : {Row{{0, 2, 1}, {1.0, 3.0, 2.0}}, Row{{2, 1, 0}, {3.0, 2.0, 1.0}}}) {
      const auto factor = make_cholesky_factor(kind);
      factor->rebuild({}, 1.0, 3, 3);
      factor->update(row.view());
      solutions.push_back(solved(*factor, {1.0, -1.0, 0.5}));
    }
    CHECK(solutions[0] == solutions[1]);
  }
}

/// Leads a factor through random events, checking every answer against the twin's after each.
void check_walk(const test::FactorWalk::Options& options, std::uint64_t seed, std::uint64_t trial, int steps) {
  RandomStream random = test::stream_for(seed + 1, trial);
  test::FactorWalk walk(options, test::stream_for(seed, trial));
  for (int step = 0; step < steps; ++step) {
    INFO("seed " << seed << " trial " << trial << " step " << step << " " << name_of(options.kind) << " size " << walk.size());
    walk.step();
    const test::FactorErrors errors = test::errors_of(walk, random);
    REQUIRE(walk.pivot_error() < 1e-11);
    REQUIRE(errors.sparse_solve < 1e-10);
    REQUIRE(errors.dense_solve < 1e-10);
    REQUIRE(errors.product < 1e-11);
    REQUIRE(errors.diagonal < 1e-11);
    REQUIRE(errors.inverse_form < 1e-10);
    REQUIRE(errors.log_det < 1e-12);
    REQUIRE(errors.colour < 1e-10);
  }
}

TEST_CASE("a factor equals its dense twin through random events on a few features") {
  constexpr std::uint64_t seed = 31;
  test::each_case(seed + 2, 400, [&](RandomStream& random, std::uint64_t trial) {
    const double ridge = std::ldexp(1.0, test::between(-4, 6, random));
    const std::int32_t features = test::between(1, 9, random);
    for (const FactorKind kind : kFactorKinds)
      check_walk({.kind = kind, .features = features, .density = 0.2 + 0.8 * random.uniform(), .ridge = ridge}, seed, trial, 40);
  });
}

TEST_CASE("a factor equals its dense twin through random events across the capacities of 16 and 32 and 64") {
  constexpr std::uint64_t seed = 41;
  for (std::uint64_t trial = 0; trial < 2; ++trial)
    for (const FactorKind kind : kFactorKinds)
      check_walk({.kind = kind, .features = 70, .density = 0.1, .ridge = 1.0}, seed, trial, 350);
}

#ifndef INKLING_NO_CHOLMOD
TEST_CASE("a sparse factor of features that share no row stores nothing below its diagonal") {
  const auto factor = make_cholesky_factor(FactorKind::cholmod);
  factor->rebuild({}, 1.0, 0, 8);
  for (std::size_t n = 0; n < 8; ++n) (void)factor->append(std::vector<double>(n, 0.0), 1.0);
  for (std::int32_t position = 0; position < 8; ++position) factor->update(Row{{position}, {2.0}}.view());
  CHECK(factor->stored_entries() == 0);
  CHECK(factor->log_det_ratio(1.0) == doctest::Approx(8.0 * std::log(5.0)));
}
#endif

}  // namespace
}  // namespace inkling
