#include <algorithm>
#include <set>

#include <doctest/doctest.h>

#include "bench/paper/text_world.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling::bench {
namespace {

using inkling::test::pool_of;

PoolMatrix small_pool() { return pool_of(5, {{{0, 3.0F}, {2, 4.0F}, {4, 12.0F}}, {{1, 1.0F}, {3, 1.0F}}, {}, {{2, -2.0F}}}); }

std::vector<FeatureId> features_of(SparseRow row) { return {row.features.begin(), row.features.end()}; }
std::vector<float> values_of(SparseRow row) { return {row.values.begin(), row.values.end()}; }

TEST_CASE("a reduced matrix keeps every row and the wanted columns under new numbers") {
  const PoolMatrix pool = small_pool();
  const ReducedPool wanted = reduced_pool(pool.view(), {0, 2, 3});
  const CsrMatrix reduced = wanted.reduced(pool.view().by_document);
  const CsrView rows = reduced.view();
  REQUIRE(rows.rows() == 4);
  CHECK(rows.columns() == 3);
  CHECK(features_of(rows.row(0)) == std::vector<FeatureId>{0, 1});
  CHECK(values_of(rows.row(0)) == std::vector<float>{3.0F, 4.0F});
  CHECK(features_of(rows.row(1)) == std::vector<FeatureId>{2});
  CHECK(rows.row(2).empty());
  CHECK(values_of(rows.row(3)) == std::vector<float>{-2.0F});
}

TEST_CASE("rows of a reduced pool have unit length, and features and marks are found again by their new numbers") {
  const PoolMatrix pool = small_pool();
  const ReducedPool reduced = reduced_pool(pool.view(), {0, 2, 3});
  const CsrView rows = reduced.matrix.view().by_document;
  CHECK(values_of(rows.row(0)) == std::vector<float>{0.6F, 0.8F});
  CHECK(values_of(rows.row(1)) == std::vector<float>{1.0F});
  CHECK(rows.row(2).empty());
  CHECK(values_of(rows.row(3)) == std::vector<float>{-1.0F});

  CHECK(reduced.reduced(std::vector<FeatureId>{0, 1, 3, 4}) == std::vector<FeatureId>{0, 2});
  CHECK(reduced.reduced(std::vector<FeatureId>{1, 4}).empty());
  const CsrMatrix marks = reduced.reduced(pool.view().by_document);
  CHECK(values_of(marks.view().row(0)) == std::vector<float>{3.0F, 4.0F});
}

TEST_CASE("a pool may be reduced to nothing and to all of itself") {
  const PoolMatrix pool = small_pool();
  const ReducedPool nothing = reduced_pool(pool.view(), {});
  CHECK(nothing.matrix.view().by_document.rows() == 4);
  CHECK(nothing.matrix.view().by_document.nonzeros() == 0);
  const ReducedPool all = reduced_pool(pool.view(), {0, 1, 2, 3, 4});
  const CsrMatrix rows = all.reduced(pool.view().by_document);
  CHECK(std::ranges::equal(rows.view().values(), pool.view().by_document.values()));
}

TEST_CASE("random features are added to the wanted ones until there are enough") {
  const PoolMatrix pool = pool_of(40, {{{0, 1.0F}}});
  const std::vector<FeatureId> wanted = {0, 7, 39};
  std::set<FeatureId> drawn;
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    RandomStream random = inkling::test::stream_for(31, trial);
    const std::vector<FeatureId> all = with_others_at_random(pool.view(), wanted, 9, random);
    CHECK(all.size() == 9);
    CHECK(std::ranges::adjacent_find(all, std::ranges::greater_equal()) == all.end());
    CHECK(std::ranges::includes(all, wanted));
    drawn.insert(all.begin(), all.end());
  }
  CHECK(drawn.size() == 40);
  RandomStream random = inkling::test::stream_for(32);
  CHECK(with_others_at_random(pool.view(), wanted, 3, random) == wanted);
  CHECK(with_others_at_random(pool.view(), wanted, 40, random).size() == 40);
}

}  // namespace
}  // namespace inkling::bench
