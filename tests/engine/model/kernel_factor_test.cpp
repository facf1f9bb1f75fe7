#include "engine/model/kernel_factor.hpp"

#include <array>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/dense_twin.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::between, test::Real, test::SquareMatrix;

TEST_CASE("a kernel factor of two rows agrees with a calculation by hand") {
  KernelFactor factor;
  CHECK(factor.append({}, 4.0) == 4.0);
  // K = (4 2; 2 3): L = (1; 1/2 1), D = (4, 2).
  std::vector<double> column = {2.0};
  factor.solve_lower(column, 0);
  CHECK(factor.append(column, 3.0) == 2.0);
  std::vector<double> b = {8.0, 6.0};
  factor.solve_lower(b, 0);
  CHECK(b == std::vector<double>{8.0, 2.0});
  b = {2.0, 1.0};
  factor.solve_upper(b);
  CHECK(b == std::vector<double>{1.5, 1.0});
  std::vector<double> x = {0.0, 1.0};
  factor.add(-1.0, x, 1);  // K = (4 2; 2 2)
  CHECK(factor.pivots()[1] == 1.0);
  std::vector<double> sides(2 * KernelFactor::kSidesTogether, 0.0);
  sides[3] = 8.0;
  sides[KernelFactor::kSidesTogether + 3] = 6.0;
  std::array<double, KernelFactor::kSidesTogether> forms{};
  factor.quadratic_forms(sides, forms);
  CHECK(forms == std::array<double, KernelFactor::kSidesTogether>{0.0, 0.0, 0.0, 20.0, 0.0, 0.0, 0.0, 0.0});
}

/// A factor, and the matrix that it should factorise.
class KernelWalk {
 public:
  /// Appends a random row. The matrix stays positive definite, because its diagonal outweighs the rest.
  void append(RandomStream& random) {
    const std::size_t n = factor_.size();
    std::vector<double> column(n);
    for (double& entry : column) entry = random.coin(0.2) ? 0.0 : 0.5 * random.normal();
    double corner = 1.0 + random.uniform();
    for (const double entry : column) corner += std::fabs(entry);
    for (std::size_t i = 0; i < n; ++i) {
      matrix_[i][i] += std::fabs(static_cast<Real>(column[i]));
      matrix_[i].push_back(column[i]);
    }
    matrix_.emplace_back(column.begin(), column.end());
    matrix_.back().push_back(corner);
    // The diagonal grew above, too: each of its entries is a change of rank one.
    for (std::size_t i = 0; i < n; ++i)
      if (column[i] != 0.0) add_to_factor(std::fabs(column[i]), unit(n, i), i);
    factor_.solve_lower(column, 0);
    factor_.append(column, corner);
  }

  void change(RandomStream& random) {
    const std::size_t n = factor_.size();
    const auto first = static_cast<std::size_t>(between(0, static_cast<std::int32_t>(n) - 1, random));
    std::vector<double> x(n, 0.0);
    for (std::size_t i = first; i < n; ++i) x[i] = random.coin(0.5) ? 0.0 : random.normal();
    const double weight = random.uniform();
    add(weight, x, first);
    if (random.coin(0.5)) add(-weight * random.uniform(), x, first);  // no more than was just added
  }

  void change_diagonal(RandomStream& random) {
    std::vector<double> change(factor_.size());
    for (double& entry : change) entry = random.uniform();
    for (const double sign : {1.0, -0.5}) {
      for (std::size_t i = 0; i < change.size(); ++i) matrix_[i][i] += static_cast<Real>(change[i] = sign * std::fabs(change[i]));
      factor_.add_to_diagonal(change);
    }
  }

  [[nodiscard]] double error(RandomStream& random) const {
    const std::size_t n = factor_.size();
    SquareMatrix plain(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) plain.at(i, j) = matrix_[i][j];
    std::vector<Real> b(n);
    std::vector<double> solution(n);
    for (std::size_t i = 0; i < n; ++i) {
      solution[i] = random.normal();
      b[i] = solution[i];
    }
    factor_.solve_lower(solution, 0);
    for (std::size_t i = 0; i < n; ++i) solution[i] /= factor_.pivots()[i];
    factor_.solve_upper(solution);
    const std::vector<Real> right = test::TextbookFactor(plain).solve(b);
    Real worst = 0.0L;
    for (std::size_t i = 0; i < n; ++i) worst = std::max(worst, std::fabs(right[i] - static_cast<Real>(solution[i])));
    return static_cast<double>(worst);
  }

  [[nodiscard]] std::size_t size() const { return factor_.size(); }

 private:
  static std::vector<double> unit(std::size_t n, std::size_t i) {
    std::vector<double> x(n, 0.0);
    x[i] = 1.0;
    return x;
  }

  void add_to_factor(double weight, std::vector<double> x, std::size_t first) { factor_.add(weight, x, first); }

  void add(double weight, const std::vector<double>& x, std::size_t first) {
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t j = 0; j < x.size(); ++j) matrix_[i][j] += static_cast<Real>(weight) * x[i] * x[j];
    add_to_factor(weight, x, first);
  }

  KernelFactor factor_;
  std::vector<std::vector<Real>> matrix_;
};

TEST_CASE("a kernel factor equals a fresh one through random rows and changes of either sign") {
  test::each_case(611, 300, [&](RandomStream& random) {
    KernelWalk walk;
    for (int step = 0; step < 24; ++step) {
      if (walk.size() == 0 || random.coin(0.5))
        walk.append(random);
      else if (random.coin(0.8))
        walk.change(random);
      else
        walk.change_diagonal(random);
      REQUIRE(walk.error(random) < 1e-11);
    }
  });
}

TEST_CASE("a kernel factor refuses what makes it lose definiteness") {
  KernelFactor factor;
  CHECK_THROWS_AS(factor.append({}, 0.0), NumericalError);
  CHECK_THROWS_AS(factor.append({}, std::numeric_limits<double>::quiet_NaN()), NumericalError);
  factor.clear();
  CHECK(factor.append({}, 1.0) == 1.0);
  std::vector<double> x = {1.0};
  CHECK_THROWS_AS(factor.add(-1.0, x, 0), NumericalError);
}

}  // namespace
}  // namespace inkling
