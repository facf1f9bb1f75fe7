#include "engine/sparse/csr_view.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/engine/messages.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

/// The arrays of a good 3 x 4 matrix: (0: 1, 2: 2), (), (1: 3, 2: 4, 3: 5).
struct Arrays {
  std::int32_t columns = 4;
  std::vector<std::int64_t> offsets = {0, 2, 2, 5};
  std::vector<FeatureId> features = {0, 2, 1, 2, 3};
  std::vector<float> values = {1.0F, 2.0F, 3.0F, 4.0F, 5.0F};
};

/// What check_csr says of the arrays; "none" where it accepts them.
std::string complaint(const Arrays& arrays) {
  return test::error_of([&] { check_csr(arrays.columns, arrays.offsets, arrays.features, arrays.values); });
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

TEST_CASE("an empty view has no rows, and a good matrix passes the check") {
  const CsrView view;
  CHECK(view.rows() == 0);
  CHECK(view.columns() == 0);
  CHECK(view.nonzeros() == 0);

  CHECK(complaint({}) == "none");
  CHECK(complaint({.columns = 0, .offsets = {0}, .features = {}, .values = {}}) == "none");
  CHECK(complaint({.columns = 0, .offsets = {0, 0, 0}, .features = {}, .values = {}}) == "none");
  CHECK(complaint({.values = {0.0F, -0.0F, 1e-45F, 3.4e38F, -3.4e38F}}) == "none");
}

TEST_CASE("a check names what is wrong and never reads through an offset beyond the arrays") {
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
  constexpr auto highest = std::numeric_limits<std::int64_t>::max();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::pair<Arrays, std::string>> cases = {
      {{.columns = -1}, "columns: expected 0 or more, got -1"},
      {{.values = {1.0F}}, "values: expected 5 (one for each feature), got 1"},
      {{.offsets = {}}, "offsets: expected one more entry than there are rows, got none"},
      {{.offsets = {1, 2, 2, 5}}, "offsets[0]: expected 0, got 1"},
      {{.offsets = {-1, 2, 2, 5}}, "offsets[0]: expected 0, got -1"},
      {{.offsets = {0, 3, 2, 5}}, "offsets[2]: expected at least 3 (offsets never fall), got 2"},
      {{.offsets = {0, 2, lowest, 5}}, "offsets[2]: expected at least 2 (offsets never fall), got -9223372036854775808"},
      {{.offsets = {0, 2, 2, 4}}, "offsets[3]: expected 5 (the number of non-zeros), got 4"},
      {{.offsets = {0, 2, 2, highest}}, "offsets[3]: expected 5 (the number of non-zeros), got 9223372036854775807"},
      {{.offsets = {0, 1'000'000, 1'000'000, 1'000'000}}, "offsets[3]: expected 5 (the number of non-zeros), got 1000000"},
      {{.features = {0, 2, 1, 2, 4}}, "features[4]: expected a feature from 0 to 3, got 4"},
      {{.features = {-1, 2, 1, 2, 3}}, "features[0]: expected a feature from 0 to 3, got -1"},
      {{.features = {0, 0, 1, 2, 3}}, "features[1]: expected more than 0 (the features of a row ascend, each once), got 0"},
      {{.features = {0, 2, 1, 3, 2}}, "features[4]: expected more than 3 (the features of a row ascend, each once), got 2"},
      {{.values = {1.0F, nan, 3.0F, 4.0F, 5.0F}}, "values[1]: expected a finite number, got nan"},
      {{.values = {1.0F, 2.0F, 3.0F, 4.0F, infinity}}, "values[4]: expected a finite number, got inf"},
      {{.values = {-infinity, 2.0F, 3.0F, 4.0F, 5.0F}}, "values[0]: expected a finite number, got -inf"},
  };
  for (const auto& [arrays, expected] : cases) CHECK(complaint(arrays) == expected);
}

TEST_CASE("a pool has its numbers of documents and features") {
  const PoolMatrix pool = test::pool_of(4, {{{0, 1.0F}}, {}, {{3, 1.0F}}});
  CHECK(pool.view().documents() == 3);
  CHECK(pool.view().features() == 4);
  CHECK(pool.view().by_feature.rows() == 4);
}

}  // namespace
}  // namespace inkling
