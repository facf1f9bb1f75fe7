#include "engine/scoring/live/relevant_rows.hpp"

#include <doctest/doctest.h>

#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

std::vector<std::int32_t> positions(std::span<const RelevantEntry> row) {
  std::vector<std::int32_t> positions;
  for (const RelevantEntry& entry : row) positions.push_back(entry.position);
  return positions;
}

TEST_CASE("a kept row is in order of discovery and gains features found later") {
  const PoolMatrix pool = test::pool_of(4, {{{0, 1.0F}, {2, 3.0F}, {3, 4.0F}}, {}, {{1, 2.0F}}});
  RelevantFeatures features;
  features.append(2);
  RelevantRows rows(pool.view().by_document);
  CHECK(positions(rows.row(0, features)) == std::vector<std::int32_t>{0});
  CHECK(rows.row(0, features)[0].value == 3.0F);
  CHECK(rows.row(1, features).empty());

  features.append(0);
  CHECK(positions(rows.row(0, features)) == std::vector<std::int32_t>{0, 1});
  CHECK(rows.row(0, features)[1].value == 1.0F);
  features.append(1);
  CHECK(positions(rows.row(2, features)) == std::vector<std::int32_t>{2});
}

TEST_CASE("a row that is kept from the start equals one that is made at the end") {
  RandomStream random = test::stream_for(20'261'124);
  const PoolMatrix pool = test::random_pool({.documents = 40, .features = 60, .density = 0.5}, random);
  RelevantFeatures features;
  RelevantRows early(pool.view().by_document);
  for (const FeatureId feature : test::shuffled(60, random)) {
    for (DocumentId i = 0; i < 20; ++i) (void)early.row(i, features);
    features.append(feature);
  }
  RelevantRows late(pool.view().by_document);
  for (DocumentId i = 0; i < 40; ++i) CHECK(positions(early.row(i, features)) == positions(late.row(i, features)));
}

TEST_CASE("rows asked for at once are those of the documents however many features were found since") {
  RandomStream random = test::stream_for(20'261'125);
  for (int trial = 0; trial < 60; ++trial) {
    const auto documents = static_cast<std::int32_t>(1 + random.below(60));
    const PoolMatrix pool = test::random_pool({.documents = documents, .features = 80, .density = random.uniform()}, random);
    const CsrView by_document = pool.view().by_document;
    RelevantFeatures features;
    RelevantRows rows(by_document);
    for (const FeatureId feature : test::shuffled(80, random)) {
      features.append(feature);
      if (random.coin(0.8)) continue;
      std::vector<DocumentId> asked(random.below(100));
      for (DocumentId& document : asked) document = test::between(0, documents - 1, random);
      std::vector<DocumentId> visited;
      rows.for_each(asked, features, [&](DocumentId document, std::span<const RelevantEntry> row) {
        visited.push_back(document);
        std::vector<RelevantEntry> expected;
        restrict_row(by_document.row(document), features, expected);
        REQUIRE(positions(row) == positions(expected));
        for (std::size_t n = 0; n < row.size(); ++n) REQUIRE(row[n].value == expected[n].value);
      });
      CHECK(visited == asked);
    }
  }
}

}  // namespace
}  // namespace inkling
