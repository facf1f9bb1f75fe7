#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "bench/rivals/frequent_directions.hpp"
#include "engine/core/errors.hpp"
#include "tests/support/test_pool.hpp"

namespace inkling::bench {
namespace {

constexpr std::uint64_t kSymmetricEigenSeed = 811;

/// The largest entries of A - sum of values v v' and of the products of vectors - 1.
struct EigenErrors {
  double matrix = 0.0;
  double products = 0.0;
};

EigenErrors errors_of(const SymmetricEigen& eigen, const std::vector<double>& matrix) {
  const std::size_t size = eigen.values.size();
  EigenErrors errors;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      double sum = -matrix[i * size + j];
      double product = i == j ? -1.0 : 0.0;
      for (std::size_t r = 0; r < size; ++r) {
        sum += eigen.values[r] * eigen.vector(r)[i] * eigen.vector(r)[j];
        product += eigen.vector(i)[r] * eigen.vector(j)[r];
      }
      errors.matrix = std::max(errors.matrix, std::fabs(sum));
      errors.products = std::max(errors.products, std::fabs(product));
    }
  }
  return errors;
}

/// X X' of random rows, with rows repeated and empty ones where `degenerate`.
std::vector<double> random_gram(std::int32_t size, std::int32_t columns, bool degenerate,
                                RandomStream& random) {
  const CsrMatrix matrix = test::random_matrix(
      {.documents = size, .features = columns, .degenerate = degenerate, .wild_values = degenerate}, random);
  std::vector<double> gram;
  for (std::int32_t i = 0; i < size; ++i) {
    for (std::int32_t j = 0; j < size; ++j) gram.push_back(dot(matrix.view().row(i), matrix.view().row(j)));
  }
  return gram;
}

TEST_CASE("two by two is solved as by hand") {
  const SymmetricEigen eigen = symmetric_eigen({2.0, 1.0, 1.0, 2.0}, 2);
  CHECK(eigen.values[0] == doctest::Approx(3.0).epsilon(1e-15));
  CHECK(eigen.values[1] == doctest::Approx(1.0).epsilon(1e-15));
  CHECK(std::fabs(eigen.vector(0)[0]) == doctest::Approx(std::sqrt(0.5)).epsilon(1e-15));
  CHECK(eigen.vector(0)[0] == doctest::Approx(eigen.vector(0)[1]).epsilon(1e-15));
  CHECK(eigen.vector(1)[0] == doctest::Approx(-eigen.vector(1)[1]).epsilon(1e-15));
}

TEST_CASE("diagonal and zero and one by one and empty matrices are solved exactly") {
  CHECK(symmetric_eigen({1.0, 0.0, 0.0, 0.0, -5.0, 0.0, 0.0, 0.0, 7.0}, 3).values ==
        std::vector<double>{7.0, 1.0, -5.0});
  CHECK(symmetric_eigen(std::vector<double>(16, 0.0), 4).values == std::vector<double>(4, 0.0));
  CHECK(symmetric_eigen({-2.5}, 1).values == std::vector<double>{-2.5});
  CHECK(symmetric_eigen({}, 0).values.empty());
}

TEST_CASE("random grams of full and of low rank are what their eigenvectors say") {
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    INFO("seed " << kSymmetricEigenSeed << " trial " << trial);
    RandomStream random = test::stream_for(kSymmetricEigenSeed, trial);
    const std::int32_t size = test::between(1, 30, random);
    const std::vector<double> gram =
        random_gram(size, test::between(1, 30, random), random.coin(0.5), random);
    const SymmetricEigen eigen = symmetric_eigen(gram, static_cast<std::size_t>(size));
    const double largest = std::fabs(eigen.values.front());
    CHECK(std::ranges::is_sorted(eigen.values, std::greater<>()));
    CHECK(errors_of(eigen, gram).matrix <= 1e-13 * largest);
    CHECK(errors_of(eigen, gram).products <= 1e-13);
  }
}

TEST_CASE("the eigenvalues of a gram with many more rows than its rank converge") {
  RandomStream random = test::stream_for(kSymmetricEigenSeed, 1000);
  const std::vector<double> gram = random_gram(100, 4, false, random);
  const SymmetricEigen eigen = symmetric_eigen(gram, 100);
  CHECK(errors_of(eigen, gram).matrix <= 1e-12 * eigen.values.front());
  CHECK(std::fabs(eigen.values[4]) <= 1e-13 * eigen.values.front());
}

TEST_CASE("a matrix that is not finite is refused") {
  CHECK_THROWS_AS((void)symmetric_eigen({std::numeric_limits<double>::quiet_NaN()}, 1), NumericalError);
  CHECK_THROWS_AS((void)symmetric_eigen({std::numeric_limits<double>::infinity()}, 1), NumericalError);
}

}  // namespace
}  // namespace inkling::bench
