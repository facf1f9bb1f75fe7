#include "engine/scoring/live/relevant_postings.hpp"

#include <doctest/doctest.h>

#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

/// X_R v by the rows, in the order of the features given.
std::vector<double> plain_product(CsrView rows, const std::vector<FeatureId>& features, const std::vector<double>& direction) {
  std::vector<double> products(static_cast<std::size_t>(rows.rows()), 0.0);
  for (DocumentId i = 0; i < rows.rows(); ++i)
    for (std::size_t a = 0; a < features.size(); ++a)
      products[static_cast<std::size_t>(i)] += direction[a] * value_at(rows.row(i), features[a]);
  return products;
}

std::vector<double> blockwise_product(const RelevantPostings& postings, const std::vector<double>& direction) {
  std::vector<double> products(static_cast<std::size_t>(postings.documents()), -1.0);
  for (std::int32_t index = 0; index < postings.blocks(); ++index) {
    const RowBlock block = postings.block(index);
    const auto first = static_cast<std::size_t>(block.first);
    postings.multiply(index, direction, std::span(products).subspan(first, block.size()));
  }
  return products;
}

TEST_CASE("a product over postings agrees with a calculation by hand") {
  const PoolMatrix pool = test::pool_of(3, {{{0, 1.0F}, {1, 2.0F}}, {}, {{1, 3.0F}, {2, 9.0F}}});
  RelevantPostings postings(pool.view().by_feature);
  postings.append(1);
  postings.append(0);
  CHECK(blockwise_product(postings, {10.0, 100.0}) == std::vector<double>{120.0, 0.0, 30.0});
}

TEST_CASE("a product without features is zero") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}}, {}});
  const RelevantPostings postings(pool.view().by_feature);
  CHECK(blockwise_product(postings, {}) == std::vector<double>{0.0, 0.0});
}

TEST_CASE("blocks cover every document once at and around a multiple of the block") {
  for (const std::int32_t documents : {0, 1, RelevantPostings::kBlock - 1, RelevantPostings::kBlock, RelevantPostings::kBlock + 1,
                                       3 * RelevantPostings::kBlock}) {
    CAPTURE(documents);
    const PoolMatrix pool = test::pool_of(1, std::vector<test::RowOfEntries>(static_cast<std::size_t>(documents)));
    const RelevantPostings postings(pool.view().by_feature);
    DocumentId next = 0;
    for (std::int32_t index = 0; index < postings.blocks(); ++index) {
      CHECK(postings.block(index).first == next);
      next = postings.block(index).end;
    }
    CHECK(next == documents);
  }
}

TEST_CASE("a product over the postings of a large pool has the bits of the plain one") {
  test::each_case(101, 4, [&](RandomStream& random) {
    const std::int32_t documents = 2 * RelevantPostings::kBlock + test::between(-1, 4000, random);
    const PoolMatrix pool = test::random_pool(
        {.documents = documents, .features = 12, .density = 0.2, .degenerate = true, .wild_values = true}, random);
    const std::vector<FeatureId> features = test::shuffled(12, random);
    RelevantPostings postings(pool.view().by_feature);
    for (const FeatureId feature : features) postings.append(feature);
    for (int draw = 0; draw < 4; ++draw) {
      std::vector<double> direction(features.size());
      for (double& weight : direction) weight = random.coin(0.2) ? 0.0 : random.normal();
      CHECK(blockwise_product(postings, direction) == plain_product(pool.view().by_document, features, direction));
    }
  });
}

}  // namespace
}  // namespace inkling
