#include "engine/model/played_documents.hpp"

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("played documents keep one entry a document in order of first play") {
  PlayedDocuments played(5);
  played.record(3, 1.5);
  played.record(0, -1.0);
  played.record(3, 2.0);
  REQUIRE(played.in_order().size() == 2);
  CHECK(played.in_order()[0].document == 3);
  CHECK(played.in_order()[0].plays == 2);
  CHECK(played.in_order()[0].reward_sum.value() == 3.5);
  CHECK(played.in_order()[1].document == 0);
  CHECK(played.in_order()[1].plays == 1);
}

TEST_CASE("a document that was never played is not found") {
  PlayedDocuments played(2);
  CHECK(played.find(1) == nullptr);
  played.record(1, 4.0);
  REQUIRE(played.find(1) != nullptr);
  CHECK(played.find(1)->plays == 1);
  CHECK(played.find(0) == nullptr);
}

}  // namespace
}  // namespace inkling
