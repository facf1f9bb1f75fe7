#include "engine/model/relevant_features.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

TEST_CASE("relevant features keep the order of discovery") {
  RelevantFeatures features;
  CHECK(features.empty());
  for (const FeatureId feature : {4, 0, 5}) features.append(feature);
  CHECK(features.size() == 3);
  CHECK(std::ranges::equal(features.in_order(), std::vector<FeatureId>{4, 0, 5}));
  CHECK(features.position(4) == 0);
  CHECK(features.position(5) == 2);
  CHECK_FALSE(features.position(1).has_value());
  CHECK(features.contains(0));
  CHECK_FALSE(features.contains(3));
}

TEST_CASE("a restricted row holds positions in order of feature") {
  const CsrMatrix matrix = test::matrix_of(6, {{{0, 1.0F}, {2, 2.0F}, {4, 3.0F}}, {{2, 7.0F}}, {}});
  RelevantFeatures features;
  for (const FeatureId feature : {4, 0, 5}) features.append(feature);
  RestrictedRows buffer;

  const RestrictedRow row = features.restrict_row(matrix.view().row(0), buffer);
  CHECK(std::ranges::equal(row.positions, std::vector<std::int32_t>{1, 0}));
  CHECK(std::ranges::equal(row.values, std::vector<double>{1.0, 3.0}));
  CHECK(dot(row, std::vector<double>{10.0, 100.0, 1000.0}) == 130.0);

  CHECK(features.restrict_row(matrix.view().row(1), buffer).empty());
  CHECK(features.restrict_row(matrix.view().row(2), buffer).empty());
}

}  // namespace
}  // namespace inkling
