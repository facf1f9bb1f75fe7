#include "engine/sparse/csr_matrix.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::matrix_of;

template <typename Owner>
concept LendsView = requires(Owner owner) { std::forward<Owner>(owner).view(); };

static_assert(LendsView<CsrMatrix&> && LendsView<const CsrMatrix&>);
static_assert(!LendsView<CsrMatrix> && !LendsView<const CsrMatrix>, "a temporary must not lend a view");
static_assert(!std::is_copy_constructible_v<CsrMatrix> && !std::is_copy_assignable_v<CsrMatrix>);
static_assert(std::is_nothrow_move_constructible_v<CsrMatrix> && std::is_nothrow_move_assignable_v<CsrMatrix>);

bool same(CsrView a, CsrView b) {
  return a.columns() == b.columns() && std::ranges::equal(a.offsets(), b.offsets()) &&
         std::ranges::equal(a.features(), b.features()) && std::ranges::equal(a.values(), b.values());
}

TEST_CASE("a new matrix has columns and no rows") {
  const CsrMatrix matrix(3);
  CHECK(matrix.view().rows() == 0);
  CHECK(matrix.view().columns() == 3);
}

TEST_CASE("a matrix refuses a negative number of columns") { CHECK_THROWS_AS(CsrMatrix(-1), FormatError); }

TEST_CASE("a matrix takes arrays that pass the check and refuses others") {
  const CsrMatrix matrix(2, {0, 1, 2}, {0, 1}, {1.0F, 2.0F});
  const CsrMatrix expected = matrix_of(2, {{{0, 1.0F}}, {{1, 2.0F}}});
  CHECK(same(matrix.view(), expected.view()));
  CHECK_THROWS_AS(CsrMatrix(2, {0, 1, 2}, {0, 2}, {1.0F, 2.0F}), FormatError);
}

TEST_CASE("an appended row is the last row") {
  CsrMatrix matrix = matrix_of(4, {{{1, 2.0F}}});
  const std::vector<FeatureId> features = {0, 3};
  const std::vector<float> values = {5.0F, 6.0F};
  matrix.append_row({features, values});
  CHECK(matrix.view().rows() == 2);
  CHECK(value_at(matrix.view().row(0), 1) == 2.0);
  CHECK(value_at(matrix.view().row(1), 0) == 5.0);
  CHECK(value_at(matrix.view().row(1), 3) == 6.0);
}

TEST_CASE("a refused row leaves the matrix as it was") {
  struct Refused {
    std::vector<FeatureId> features;
    std::vector<float> values;
  };
  const std::vector<Refused> refused = {{{0, 4}, {1.0F, 1.0F}},
                                        {{-1}, {1.0F}},
                                        {{2, 2}, {1.0F, 1.0F}},
                                        {{3, 1}, {1.0F, 1.0F}},
                                        {{1, 2}, {1.0F}},
                                        {{1}, {std::numeric_limits<float>::quiet_NaN()}},
                                        {{1}, {std::numeric_limits<float>::infinity()}}};
  CsrMatrix matrix = matrix_of(4, {{{1, 2.0F}}, {}});
  const CsrMatrix before = matrix_of(4, {{{1, 2.0F}}, {}});
  for (const Refused& row : refused) {
    CHECK_THROWS_AS(matrix.append_row({row.features, row.values}), FormatError);
    CHECK(same(matrix.view(), before.view()));
  }
}

TEST_CASE("the transpose of a hand-checked matrix lists rows by column") {
  const CsrMatrix matrix = matrix_of(4, {{{0, 1.0F}, {2, 2.0F}}, {}, {{1, 3.0F}, {2, 4.0F}, {3, 5.0F}}});
  const CsrMatrix expected = matrix_of(3, {{{0, 1.0F}}, {{2, 3.0F}}, {{0, 2.0F}, {2, 4.0F}}, {{2, 5.0F}}});
  const CsrMatrix transpose = transposed(matrix.view());
  CHECK(same(transpose.view(), expected.view()));
}

TEST_CASE("the transpose of an empty matrix keeps its shape") {
  const CsrMatrix empty(5);
  const CsrMatrix transpose = transposed(empty.view());
  CHECK(transpose.view().rows() == 5);
  CHECK(transpose.view().columns() == 0);
}

TEST_CASE("the transpose of the transpose of a random matrix is the matrix") {
  test::each_case(21, 300, [&](RandomStream& random) {
    const test::RandomPoolOptions options{.documents = test::between(0, 30, random),
                                          .features = test::between(1, 30, random),
                                          .density = random.uniform(),
                                          .degenerate = true,
                                          .wild_values = true};
    const CsrMatrix matrix = test::random_matrix(options, random);
    const CsrMatrix once = transposed(matrix.view());
    check_csr(once.view().columns(), once.view().offsets(), once.view().features(), once.view().values());
    const CsrMatrix twice = transposed(once.view());
    CHECK(same(twice.view(), matrix.view()));
    for (std::int32_t i = 0; i < matrix.view().rows(); ++i)
      for (FeatureId j = 0; j < matrix.view().columns(); ++j)
        REQUIRE(value_at(matrix.view().row(i), j) == value_at(once.view().row(j), i));
  });
}

}  // namespace
}  // namespace inkling
