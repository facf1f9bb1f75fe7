#include "engine/scoring/relevant_rows.hpp"

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/test_pool.hpp"

namespace inkling {
namespace {

std::vector<std::int32_t> positions(std::span<const RelevantEntry> row) {
  std::vector<std::int32_t> positions;
  for (const RelevantEntry& entry : row) positions.push_back(entry.position);
  return positions;
}

TEST_CASE("a row is remembered until the features change") {
  const PoolMatrix pool = test::pool_of(3, {{{0, 1.0F}, {2, 3.0F}}, {}, {{1, 2.0F}}});
  RelevantFeatures features(3);
  features.append(2);
  RelevantRows rows(pool.view().by_document);
  CHECK(positions(rows.row(0, features)) == std::vector<std::int32_t>{0});
  CHECK(rows.row(0, features)[0].value == 3.0F);
  CHECK(rows.row(1, features).empty());
  CHECK(rows.row(2, features).empty());

  features.append(0);
  rows.forget_all();
  CHECK(positions(rows.row(0, features)) == std::vector<std::int32_t>{1, 0});
  CHECK(positions(rows.row(0, features)) == std::vector<std::int32_t>{1, 0});
}

}  // namespace
}  // namespace inkling
