#include "engine/sparse/csr_view.hpp"

#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/support/test_pool.hpp"

namespace inkling {
namespace {

/// The arrays of a good 3 x 4 matrix: (0: 1, 2: 2), (), (1: 3, 2: 4, 3: 5).
struct Arrays {
  std::int32_t columns = 4;
  std::vector<std::int64_t> offsets = {0, 2, 2, 5};
  std::vector<FeatureId> features = {0, 2, 1, 2, 3};
  std::vector<float> values = {1.0F, 2.0F, 3.0F, 4.0F, 5.0F};
};

/// What check_csr says of the arrays; empty where it accepts them.
std::string complaint(const Arrays& arrays) {
  try {
    check_csr(arrays.columns, arrays.offsets, arrays.features, arrays.values);
  } catch (const FormatError& error) {
    return error.what();
  }
  return {};
}

TEST_CASE("a view lends the rows of a hand-checked matrix") {
  const Arrays arrays;
  const CsrView view(arrays.columns, arrays.offsets, arrays.features, arrays.values);
  CHECK(view.rows() == 3);
  CHECK(view.columns() == 4);
  CHECK(view.nonzeros() == 5);
  CHECK(view.row(0).size() == 2);
  CHECK(view.row(1).empty());
  CHECK(view.row(2).features[1] == 2);
  CHECK(view.row(2).values[1] == 4.0F);
}

TEST_CASE("an empty view has no rows") {
  const CsrView view;
  CHECK(view.rows() == 0);
  CHECK(view.columns() == 0);
  CHECK(view.nonzeros() == 0);
}

TEST_CASE("a good matrix passes the check") {
  CHECK(complaint({}).empty());
  CHECK(complaint({.columns = 0, .offsets = {0}, .features = {}, .values = {}}).empty());
  CHECK(complaint({.columns = 0, .offsets = {0, 0, 0}, .features = {}, .values = {}}).empty());
  CHECK(complaint({.values = {0.0F, -0.0F, 1e-45F, 3.4e38F, -3.4e38F}}).empty());
}

TEST_CASE("a check names the number of columns below zero") {
  CHECK(complaint({.columns = -1}) == "columns: expected 0 or more, got -1");
}

TEST_CASE("a check names missing values") {
  CHECK(complaint({.values = {1.0F}}) == "values: expected 5 (one for each feature), got 1");
}

TEST_CASE("a check names missing offsets") {
  CHECK(complaint({.offsets = {}}) == "offsets: expected one more entry than there are rows, got none");
}

TEST_CASE("a check names a first offset other than zero") {
  CHECK(complaint({.offsets = {1, 2, 2, 5}}) == "offsets[0]: expected 0, got 1");
  CHECK(complaint({.offsets = {-1, 2, 2, 5}}) == "offsets[0]: expected 0, got -1");
}

TEST_CASE("a check names the offset that falls") {
  CHECK(complaint({.offsets = {0, 3, 2, 5}}) ==
        "offsets[2]: expected at least 3 (offsets never fall), got 2");
  CHECK(complaint({.offsets = {0, 2, std::numeric_limits<std::int64_t>::min(), 5}}) ==
        "offsets[2]: expected at least 2 (offsets never fall), got -9223372036854775808");
}

TEST_CASE("a check names a last offset that is not the number of non-zeros") {
  CHECK(complaint({.offsets = {0, 2, 2, 4}}) == "offsets[3]: expected 5 (the number of non-zeros), got 4");
  CHECK(complaint({.offsets = {0, 2, 2, std::numeric_limits<std::int64_t>::max()}}) ==
        "offsets[3]: expected 5 (the number of non-zeros), got 9223372036854775807");
}

TEST_CASE("a check never reads through an offset beyond the arrays") {
  CHECK(complaint({.offsets = {0, 1'000'000, 1'000'000, 1'000'000}}) ==
        "offsets[3]: expected 5 (the number of non-zeros), got 1000000");
}

TEST_CASE("a check names a feature out of range") {
  CHECK(complaint({.features = {0, 2, 1, 2, 4}}) == "features[4]: expected a feature from 0 to 3, got 4");
  CHECK(complaint({.features = {-1, 2, 1, 2, 3}}) == "features[0]: expected a feature from 0 to 3, got -1");
}

TEST_CASE("a check names a feature that repeats or falls within its row") {
  CHECK(complaint({.features = {0, 0, 1, 2, 3}}) ==
        "features[1]: expected more than 0 (the features of a row ascend, each once), got 0");
  CHECK(complaint({.features = {0, 2, 1, 3, 2}}) ==
        "features[4]: expected more than 3 (the features of a row ascend, each once), got 2");
}

TEST_CASE("a check names a value that is not finite") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(complaint({.values = {1.0F, nan, 3.0F, 4.0F, 5.0F}}) ==
        "values[1]: expected a finite number, got nan");
  CHECK(complaint({.values = {1.0F, 2.0F, 3.0F, 4.0F, infinity}}) ==
        "values[4]: expected a finite number, got inf");
  CHECK(complaint({.values = {-infinity, 2.0F, 3.0F, 4.0F, 5.0F}}) ==
        "values[0]: expected a finite number, got -inf");
}

TEST_CASE("a pool tells its documents and features") {
  const PoolMatrix pool = test::pool_of(4, {{{0, 1.0F}}, {}, {{3, 1.0F}}});
  CHECK(pool.view().documents() == 3);
  CHECK(pool.view().features() == 4);
  CHECK(pool.view().by_feature.rows() == 4);
}

}  // namespace
}  // namespace inkling
