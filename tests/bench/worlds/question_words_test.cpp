#include "bench/worlds/question_words.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "io/corpus/pool/open/pool.hpp"
#include "tests/bench/worlds/tiny_pool.hpp"

namespace inkling::bench {
namespace {

TEST_CASE("a question gives the words that a search proposes, and a reader marks the rarest first") {
  const test::PoolFolder folder;
  const std::string path = folder.build(
      folder.write("texts.jsonl", "{\"text\": \"the soil and compost\"}\n{\"text\": \"the soil\"}\n{\"text\": \"the sea\"}\n"),
      "pool");
  const Pool pool = Pool::open(path);
  const auto words = words_of_sentences(path, {"A systematic review of the soil, compost and 12 whales", "the"});
  REQUIRE(words.size() == 2);
  const FeatureId compost = pool.feature_of("compost").value();
  const FeatureId soil = pool.feature_of("soil").value();
  std::vector<FeatureId> named = words.front();
  std::ranges::sort(named);
  CHECK(named == std::vector<FeatureId>{std::min(compost, soil), std::max(compost, soil)});  // no function word, none of method
  CHECK(words.back().empty());
  CHECK(rarest_first(pool.view(), {soil, compost}) == std::vector<FeatureId>{compost, soil});
}

}  // namespace
}  // namespace inkling::bench
