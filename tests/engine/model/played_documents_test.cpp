#include "engine/model/played_documents.hpp"

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

TEST_CASE("played documents keep one entry a document in order of first play, with its row") {
  const CsrMatrix rows = test::matrix_of(4, {{{1, 2.0F}}, {}, {}, {{0, 1.0F}, {3, 4.0F}}});
  PlayedDocuments played(4);
  played.record(3, rows.view().row(3), 1.5);
  played.record(0, rows.view().row(0), -1.0);
  played.record(3, rows.view().row(3), 2.0);
  REQUIRE(played.in_order().size() == 2);
  CHECK(played.plays() == 3);
  CHECK(played.in_order()[0].document == 3);
  CHECK(played.in_order()[0].plays == 2);
  CHECK(played.in_order()[0].reward_sum.value() == 3.5);
  CHECK(played.in_order()[1].document == 0);
  CHECK(played.in_order()[1].plays == 1);
  CHECK(played.row(0).features[1] == 3);
  CHECK(played.row(1).values[0] == 2.0F);
}

TEST_CASE("a document that was never played is not found, and any 64-bit number names one") {
  PlayedDocuments played(2);
  const std::int64_t large = std::int64_t{1} << 62;
  CHECK(played.find(large) == nullptr);
  played.record(large, {}, 4.0);
  played.record(-5, {}, 1.0);
  REQUIRE(played.find(large) != nullptr);
  CHECK(played.find(large)->plays == 1);
  CHECK(played.place(-5) == 1);
  CHECK(played.find(0) == nullptr);
}

TEST_CASE("a row that does not fit is refused and nothing is recorded") {
  PlayedDocuments played(2);
  const std::vector<FeatureId> features = {2};
  const std::vector<float> values = {1.0F};
  CHECK_THROWS_AS(played.record(0, {features, values}, 1.0), FormatError);
  CHECK(played.in_order().empty());
  CHECK(played.plays() == 0);
  CHECK(played.find(0) == nullptr);
}

TEST_CASE("the column of a feature lists the documents that hold it, ascending") {
  PlayedDocuments played(3);
  const CsrMatrix rows = test::matrix_of(3, {{{0, 1.0F}, {2, 0.5F}}, {{1, 1.0F}}, {{2, 3.0F}}});
  for (const DocumentId document : {2, 1, 0}) played.record(document, rows.view().row(document), 0.0);
  const std::vector<PlayedEntry> column = played.column(2);
  REQUIRE(column.size() == 2);
  CHECK(column[0].place == 2);
  CHECK(column[0].value == 0.5);
  CHECK(column[1].place == 0);
  CHECK(column[1].value == 3.0);
  CHECK(played.column(1).size() == 1);
}

}  // namespace
}  // namespace inkling
