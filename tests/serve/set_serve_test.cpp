// A served set gives the same answers about documents and words as the one pool.
#include <array>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "io/base/file/json_writer.hpp"
#include "io/doors/serve/served_pool.hpp"
#include "tests/serve/served_garden.hpp"
#include "tests/support/io/small_sets.hpp"

namespace inkling {
namespace {

std::string told_of(const ServedPool& pool, DocumentId document) {
  JsonWriter json;
  json.begin_object().key("document");
  pool.shown().write_document(json, document);
  json.key("line").begin_object();
  pool.shown().write_line_members(json, document);
  return json.end_object().end_object().take();
}

std::string told_of_word(const ServedPool& pool, FeatureId feature) {
  JsonWriter json;
  pool.shown().write_word(json, feature);
  return json.take();
}

TEST_CASE("a served set gives the same answers about documents and words as the one pool") {
  const std::array<std::size_t, 2> cuts = {3, 8};
  const test::CutPool cut(test::served_garden_pool(), cuts);
  const ServedPool set("garden", cut.set(), PoolTrust::checksums);
  const ServedPool whole("garden", cut.whole(), PoolTrust::checksums);
  REQUIRE(set.pool().view().documents() == 12);
  for (DocumentId document = 0; document < 12; ++document) CHECK(told_of(set, document) == told_of(whole, document));
  for (FeatureId feature = 0; feature < set.pool().view().features(); ++feature)
    CHECK(told_of_word(set, feature) == told_of_word(whole, feature));
  const std::vector<ServedPool::Hit> hits = set.documents_with_words({1, 3}, 5);
  const std::vector<ServedPool::Hit> expected = whole.documents_with_words({1, 3}, 5);
  REQUIRE(hits.size() == expected.size());
  for (std::size_t n = 0; n < hits.size(); ++n) {
    CHECK(hits[n].document == expected[n].document);
    CHECK(hits[n].value == expected[n].value);
  }
  CHECK(set.words_with_prefix("s", 5) == whole.words_with_prefix("s", 5));
  CHECK(set.pool().survey()->average().values == whole.pool().survey()->average().values);
  CHECK(set.scope().fingerprint.size() == 16);
  CHECK(set.scope().fingerprint != whole.scope().fingerprint);
}

TEST_CASE("a set is served by the name of its folder") {
  CHECK(names_of_pools({"x/reviews/set.json", "reviews", "set.json"}) ==
        std::vector<std::string>{"reviews", "reviews-2", "set.json"});
}

}  // namespace
}  // namespace inkling
