// Errors that CHOLMOD does not report, and that both factors must report (PROMISES M2).
#include "engine/model/factor_checks.hpp"

#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/model/cholesky_factor.hpp"
#include "engine/model/played_documents.hpp"
#include "tests/support/engine/models.hpp"

namespace inkling {
namespace {

using test::kFactorKinds, test::name_of;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct BadRow {
  const char* what;
  std::vector<std::int32_t> positions;
  std::vector<double> values;
  [[nodiscard]] RestrictedRow view() const { return {positions, values}; }
};

/// Rows that no factor of three features may take.
std::vector<BadRow> bad_rows() {
  return {{"a position beyond the last", {0, 3}, {1.0, 1.0}},
          {"a position far beyond the last", {1'000'000'000}, {1.0}},
          {"a position before the first", {-1, 0}, {1.0, 1.0}},
          {"a duplicate", {1, 1}, {1.0, 1.0}},
          {"a duplicate apart", {2, 0, 2}, {1.0, 1.0, 1.0}},
          {"not a number", {0, 1}, {1.0, kNan}},
          {"infinity", {0}, {kInfinity}},
          {"minus infinity", {2}, {-kInfinity}}};
}

std::unique_ptr<CholeskyFactor> identity_of_three(FactorKind kind) {
  auto factor = make_cholesky_factor(kind);
  factor->rebuild({}, 1.0, 3, 5);
  return factor;
}

TEST_CASE("every member of a factor refuses a bad row") {
  for (const FactorKind kind : kFactorKinds) {
    for (const BadRow& bad : bad_rows()) {
      INFO(name_of(kind) << ": " << bad.what);
      const auto factor = identity_of_three(kind);
      std::vector<double> solution(3);
      CHECK_THROWS_AS(factor->update(bad.view()), NumericalError);
      CHECK_THROWS_AS(factor->solve(bad.view(), solution), NumericalError);
      CHECK_THROWS_AS((void)factor->inverse_form(bad.view()), NumericalError);
      PlayedRows rows;
      rows.append(bad.view(), 1.0);
      CHECK_THROWS_AS(factor->rebuild(rows, 1.0, 3, 3), NumericalError);
    }
  }
}

TEST_CASE("a duplicate is found in a long row too") {
  std::vector<std::int32_t> positions(40);
  std::iota(positions.rbegin(), positions.rend(), 0);
  const std::vector<double> values(40, 1.0);
  CHECK_NOTHROW(check_row({positions, values}, 40));
  positions[3] = positions[30];
  CHECK_THROWS_AS(check_row({positions, values}, 40), NumericalError);
  std::iota(positions.begin(), positions.end(), 0);
  CHECK_NOTHROW(check_row({positions, values}, 40));
  positions[20] = 19;
  CHECK_THROWS_AS(check_row({positions, values}, 40), NumericalError);
}

TEST_CASE("a right-hand side that is not finite is refused") {
  for (const FactorKind kind : kFactorKinds) {
    for (const double bad : {kNan, kInfinity, -kInfinity}) {
      INFO(name_of(kind) << ": " << bad);
      const auto factor = identity_of_three(kind);
      std::vector<double> solution(3);
      CHECK_THROWS_AS(factor->solve(std::vector<double>{1.0, bad, 0.0}, solution), NumericalError);
      CHECK_THROWS_AS((void)factor->append(std::vector<double>{1.0, bad, 0.0}, 9.0), NumericalError);
      CHECK_THROWS_AS((void)identity_of_three(kind)->append(std::vector<double>{1.0, 0.0, 0.0}, bad), NumericalError);
    }
  }
}

TEST_CASE("a birth that loses definiteness is caught and a rebuild restores the factor") {
  struct Lost {
    std::vector<double> b;
    double c;
  };
  for (const FactorKind kind : kFactorKinds) {
    for (const Lost& lost : {Lost{{2.0, 0.0, 0.0}, 1.0}, Lost{{1.0, 0.0, 0.0}, 1.0}, Lost{{0.0, 0.0, 0.0}, 0.0},
                             Lost{{0.0, 0.0, 0.0}, -1.0}, Lost{{1e200, 0.0, 0.0}, 1.0}}) {
      INFO(name_of(kind) << ": b = " << lost.b[0] << ", c = " << lost.c);
      const auto factor = identity_of_three(kind);
      CHECK_THROWS_AS((void)factor->append(lost.b, lost.c), NumericalError);

      factor->rebuild({}, 2.0, 3, 4);
      CHECK(factor->size() == 3);
      CHECK(factor->append(std::vector<double>{1.0, 0.0, 0.0}, 2.0) == doctest::Approx(1.5));
    }
  }
}

TEST_CASE("an update that overflows is caught and a rebuild restores the factor") {
  for (const FactorKind kind : kFactorKinds) {
    INFO(name_of(kind));
    const auto factor = identity_of_three(kind);
    const std::vector<std::int32_t> positions = {0, 2};
    const std::vector<double> values = {1e200, 1.0};
    CHECK_THROWS_AS(factor->update({positions, values}), NumericalError);

    factor->rebuild({}, 1.0, 3, 3);
    CHECK(factor->log_det_ratio(1.0) == 0.0);
    CHECK(factor->inverse_form({std::span(positions).first(1), std::span(values).last(1)}) == 1.0);
  }
}

TEST_CASE("a rebuild from rows that overflow or cancel is caught") {
  for (const FactorKind kind : kFactorKinds) {
    for (const double value : {1e200, 1e30}) {
      INFO(name_of(kind) << ": " << value);
      PlayedRows rows;
      const std::vector<std::int32_t> positions = {0, 1};
      const std::vector<double> values = {value, value};
      rows.append({positions, values}, 1.0);
      CHECK_THROWS_AS(make_cholesky_factor(kind)->rebuild(rows, 1.0, 2, 2), NumericalError);
    }
  }
}

TEST_CASE("a pivot must be positive and finite") {
  CHECK_NOTHROW(check_pivot(1e-300));
  for (const double bad : {0.0, -1.0, kNan, kInfinity}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(check_pivot(bad), NumericalError);
  }
}

}  // namespace
}  // namespace inkling
