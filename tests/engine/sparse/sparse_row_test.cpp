#include "engine/sparse/sparse_row.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::matrix_of;

TEST_CASE("dots of sparse rows agree with a calculation by hand") {
  const CsrMatrix matrix = matrix_of(4, {{{0, 1.0F}, {2, 3.0F}}, {{0, 2.0F}, {1, 7.0F}, {2, -0.5F}}, {}});
  const CsrView rows = matrix.view();
  const std::vector<double> dense = {10.0, 20.0, 30.0, 40.0};
  CHECK(dot(rows.row(0), dense) == 100.0);
  CHECK(dot(rows.row(1), dense) == 145.0);
  CHECK(dot(rows.row(2), dense) == 0.0);
  CHECK(dot(rows.row(0), rows.row(1)) == 0.5);
  CHECK(dot(rows.row(0), rows.row(2)) == 0.0);
  CHECK(squared_norm(rows.row(0)) == 10.0);
  CHECK(squared_norm(rows.row(2)) == 0.0);
}

TEST_CASE("a row gives its value at a feature and zero where it has none") {
  const CsrMatrix matrix = matrix_of(6, {{{1, 1.5F}, {3, 0.0F}, {4, -2.0F}}, {}});
  const CsrView rows = matrix.view();
  const std::vector<double> expected = {0.0, 1.5, 0.0, 0.0, -2.0, 0.0};
  for (FeatureId feature = 0; feature < 6; ++feature) {
    CHECK(value_at(rows.row(0), feature) == expected[static_cast<std::size_t>(feature)]);
    CHECK(value_at(rows.row(1), feature) == 0.0);
  }
}

TEST_CASE("dots of random rows equal those of the rows spelled out") {
  test::each_case(11, 200, [&](RandomStream& random) {
    const CsrMatrix matrix =
        test::random_matrix({.documents = 6, .features = 9, .density = 0.4, .degenerate = true, .wild_values = true}, random);
    const CsrView rows = matrix.view();
    for (std::int32_t i = 0; i < rows.rows(); ++i) {
      for (std::int32_t j = 0; j < rows.rows(); ++j) {
        std::vector<double> dense(9, 0.0);
        for (FeatureId feature = 0; feature < 9; ++feature)
          dense[static_cast<std::size_t>(feature)] = value_at(rows.row(j), feature);
        // Both add the same products in the same order.
        REQUIRE(dot(rows.row(i), rows.row(j)) == dot(rows.row(i), dense));
        double largest = 0.0;
        for (FeatureId feature = 0; feature < 9; ++feature)
          largest += std::fabs(value_at(rows.row(i), feature) * dense[static_cast<std::size_t>(feature)]);
        REQUIRE(std::fabs(dot_in_any_order(rows.row(i), dense) - dot(rows.row(i), dense)) <= 1e-15 * 9 * largest);
      }
      REQUIRE(squared_norm(rows.row(i)) == dot(rows.row(i), rows.row(i)));
    }
  });
}

}  // namespace
}  // namespace inkling
