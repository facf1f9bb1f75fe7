#include "bench/rivals/frequent_directions.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/support/dense_twin.hpp"
#include "tests/support/test_pool.hpp"

namespace inkling::bench {
namespace {

using test::Real;
using test::SquareMatrix;

constexpr std::uint64_t kFrequentDirectionsSeed = 821;

void append(FrequentDirections& sketch, SparseRow row) {
  if (sketch.full()) sketch.shrink();
  std::vector<double> product(sketch.rows());
  sketch.multiply(row, product);
  sketch.append(row, product);
}

/// X'X - S'S.
SquareMatrix matrix_difference(CsrView rows, const FrequentDirections& sketch) {
  SquareMatrix left(static_cast<std::size_t>(rows.columns()));
  for (FeatureId a = 0; a < rows.columns(); ++a) {
    for (FeatureId b = 0; b < rows.columns(); ++b) {
      Real& entry = left.at(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
      for (std::int32_t i = 0; i < rows.rows(); ++i) {
        entry += static_cast<Real>(value_at(rows.row(i), a)) * static_cast<Real>(value_at(rows.row(i), b));
      }
      for (std::size_t r = 0; r < sketch.rows(); ++r) {
        entry -= static_cast<Real>(sketch.column(a)[r]) * static_cast<Real>(sketch.column(b)[r]);
      }
    }
  }
  return left;
}

/// Whether factor * matrix + shift I is positive definite.
bool is_definite(const SquareMatrix& matrix, Real factor, Real shift) {
  SquareMatrix shifted(matrix.size());
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix.size(); ++j) {
      shifted.at(i, j) = factor * matrix.at(i, j) + (i == j ? shift : 0.0L);
    }
  }
  try {
    const test::TextbookFactor factored(shifted);
    return true;
  } catch (const NumericalError&) {
    return false;
  }
}

Real squared_size(CsrView rows) {
  Real sum = 0.0L;
  for (std::int32_t i = 0; i < rows.rows(); ++i) sum += static_cast<Real>(squared_norm(rows.row(i)));
  return sum;
}

TEST_CASE("a sketch of one direction keeps the longer of two orthogonal rows less the shorter") {
  const CsrMatrix rows = test::matrix_of(2, {{{0, 3.0F}}, {{1, 2.0F}}});
  FrequentDirections sketch(2, 1);
  append(sketch, rows.view().row(0));
  append(sketch, rows.view().row(1));
  sketch.shrink();
  REQUIRE(sketch.rows() == 1);
  CHECK(sketch.lost() == doctest::Approx(4.0));
  CHECK(std::fabs(sketch.column(0)[0]) == doctest::Approx(std::sqrt(5.0)));
  CHECK(sketch.column(1)[0] == doctest::Approx(0.0));
  CHECK(sketch.squared_length(0) == doctest::Approx(5.0));
}

TEST_CASE("what a sketch misses of any rows lies between nothing and its share of their squares") {
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    INFO("seed " << kFrequentDirectionsSeed << " trial " << trial);
    RandomStream random = test::stream_for(kFrequentDirectionsSeed, trial);
    const std::int32_t columns = test::between(1, 12, random);
    const CsrMatrix rows = test::random_matrix({.documents = test::between(1, 60, random),
                                                .features = columns,
                                                .degenerate = random.coin(0.5),
                                                .wild_values = random.coin(0.3)},
                                               random);
    const std::int32_t directions = test::between(1, 14, random);
    FrequentDirections sketch(columns, directions);
    for (std::int32_t i = 0; i < rows.view().rows(); ++i) append(sketch, rows.view().row(i));
    if (random.coin(0.5)) sketch.shrink();

    const Real size = squared_size(rows.view());
    const Real rounding = 1e-12L * size + 1e-300L;
    const SquareMatrix missed = matrix_difference(rows.view(), sketch);
    const auto lost = static_cast<Real>(sketch.lost());
    CHECK(is_definite(missed, 1.0L, rounding));
    CHECK(is_definite(missed, -1.0L, lost + rounding));
    CHECK(lost <= size / static_cast<Real>(directions + 1) + rounding);
    if (directions >= columns) CHECK(lost <= rounding);
  }
}

TEST_CASE("a product with a sketch is that of its rows") {
  RandomStream random = test::stream_for(kFrequentDirectionsSeed, 1000);
  const CsrMatrix rows = test::random_matrix({.documents = 9, .features = 6}, random);
  FrequentDirections sketch(6, 3);
  for (std::int32_t i = 0; i < 8; ++i) append(sketch, rows.view().row(i));
  const SparseRow x = rows.view().row(8);
  std::vector<double> dense(6, 0.0);
  for (std::size_t n = 0; n < x.size(); ++n)
    dense[static_cast<std::size_t>(x.features[n])] = static_cast<double>(x.values[n]);
  std::vector<double> of_sparse(sketch.rows());
  std::vector<double> of_dense(sketch.rows());
  sketch.multiply(x, of_sparse);
  sketch.multiply(std::span<const double>(dense), of_dense);
  for (std::size_t r = 0; r < sketch.rows(); ++r) {
    double expected = 0.0;
    for (FeatureId a = 0; a < 6; ++a) expected += sketch.column(a)[r] * dense[static_cast<std::size_t>(a)];
    CHECK(of_sparse[r] == doctest::Approx(expected));
    CHECK(of_dense[r] == of_sparse[r]);
  }
}

TEST_CASE("a sketch of empty rows is empty and loses nothing") {
  const CsrMatrix rows = test::matrix_of(3, {{}, {}, {}});
  FrequentDirections sketch(3, 1);
  sketch.shrink();
  for (std::int32_t i = 0; i < 3; ++i) append(sketch, rows.view().row(i));
  sketch.shrink();
  CHECK(sketch.rows() == 0);
  CHECK(sketch.lost() == 0.0);
}

TEST_CASE("no sketch has less than one direction or more than there is room for") {
  for (const std::int32_t directions : {0, -1, kLargestSketch + 1}) {
    CHECK_THROWS_AS(FrequentDirections(5, directions), FormatError);
  }
  CHECK(FrequentDirections(5, kLargestSketch).most_rows() == 10);
}

}  // namespace
}  // namespace inkling::bench
