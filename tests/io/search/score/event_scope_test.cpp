#include "io/search/score/event_scope.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "io/corpus/from_text/text_recipe.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::SmallPool;

// A pool in which each word is in one document, as a build from text with this recipe makes it.
SmallPool pool_with(const std::vector<std::string>& words, const TextRecipe& recipe) {
  SmallPool pool = {.columns = static_cast<std::int32_t>(words.size()), .vocabulary = words};
  pool.ids.emplace();
  for (FeatureId feature = 0; feature < pool.columns; ++feature) {
    pool.rows.push_back({{feature, 1.0F}});
    pool.ids->push_back("d" + std::to_string(feature));
  }
  pool.recipe = R"({"source":"test","text":)" + recipe_json(recipe) + "}";
  return pool;
}

// Opens these pools from disk.
struct OpenPools {
  explicit OpenPools(const std::vector<SmallPool>& pools, PoolAccess access = PoolAccess::map) {
    std::vector<std::string> paths;
    for (const SmallPool& pool : pools) {
      paths.push_back(folder.file("pool" + std::to_string(paths.size())));
      test::write_pool(pool, paths.back());
    }
    set.emplace(PoolSet::open(paths, access, PoolTrust::checksums));
    scope = event_scope_of(*set);
  }
  [[nodiscard]] std::optional<FeatureId> find(std::string_view word) const { return scope.feature_of(word); }
  [[nodiscard]] std::string advice(std::string_view word) const { return scope.advice_for(word); }

  test::TemporaryFolder folder;
  std::optional<PoolSet> set;
  EventScope scope;
};

TextRecipe phrases() {
  TextRecipe recipe;
  recipe.stop_words = {"the"};
  recipe.longest_ngram = 2;
  return recipe;
}

TEST_CASE("words are found in any spelling that the recipe makes equal") {
  const OpenPools pools({pool_with({"café", "cocoa", "cocoa quota", "quota", "soil"}, phrases())});
  CHECK(pools.find("soil") == 4);
  CHECK(pools.find("SOIL") == 4);
  CHECK(pools.find(" (Soil) ") == 4);
  CHECK(pools.find("CAFÉ") == 0);
  CHECK(pools.find("cocoa quota") == 2);
  CHECK(pools.find("Cocoa -- Quota!") == 2);
  CHECK_FALSE(pools.find("the soil"));  // the recipe leaves out a part of it
  CHECK_FALSE(pools.find("a soil"));
  CHECK_FALSE(pools.find("quota cocoa"));
  CHECK_FALSE(pools.find(""));
  CHECK_FALSE(pools.find("?!"));
}

TEST_CASE("a pool that keeps capitals or was not made from text has words as they are spelled") {
  TextRecipe keeping;
  keeping.tokens.letter_case = LetterCase::keep;
  const OpenPools kept({pool_with({"Soil", "soil"}, keeping)});
  CHECK(kept.find("Soil") == 0);
  CHECK(kept.find("soil,") == 1);
  CHECK_FALSE(kept.find("SOIL"));
  CHECK(kept.advice("SOIL") == "\"soil\" is in it");
  SmallPool matrix = pool_with({"soil"}, {});
  matrix.recipe = R"({"source":"test"})";
  const OpenPools imported({matrix});
  CHECK(imported.find("soil") == 0);
  CHECK_FALSE(imported.find("Soil"));
  CHECK(imported.advice("Soil") == "\"soil\" is in it");
}

TEST_CASE("the advice says what to write instead of an unknown word") {
  const OpenPools pools({pool_with({"cocoa", "quota", "soil", "walnut"}, phrases())});
  CHECK(pools.advice("walnuts") == "did you mean \"walnut\"?");
  CHECK(pools.advice("siol") == "did you mean \"soil\"?");
  CHECK(pools.advice("zebra").empty());
  CHECK(pools.advice("the") == "\"the\" is a stop word");
  CHECK(pools.advice("the soil") == "\"the\" is a stop word; \"soil\" is in it");
  CHECK(pools.advice("x soil") == "\"x\" is too short; \"soil\" is in it");
  CHECK(pools.advice("cocoa quota") == "\"cocoa\" and \"quota\" are in it");
  CHECK(pools.advice("cocoa soil quota") ==
        "the pool holds phrases of 2 words at most (inkling build --ngrams 1,3 makes phrases); \"cocoa\" and \"soil\" "
        "and \"quota\" are in it");
  TextRecipe words;
  const OpenPools single({pool_with({"cocoa"}, words)});
  CHECK(single.advice("cocoa beans") ==
        "the pool holds single words only (inkling build --ngrams 1,2 makes phrases); \"cocoa\" is in it");
}

TEST_CASE("ids are found in all shards and repeated ids with both rows whether pools are mapped or read") {
  const SmallPool first = pool_with({"one", "two"}, {});
  SmallPool second = first;
  second.ids = {"x", "d1"};
  SmallPool without = first;
  without.ids.reset();
  for (const PoolAccess access : {PoolAccess::map, PoolAccess::read}) {
    const OpenPools pools({first, without, second}, access);
    const std::vector<RowsOfId> rows = pools.scope.rows_of_ids(std::vector<std::string>{"d0", "d1", "none", "x"});
    REQUIRE(rows.size() == 4);
    CHECK(rows[0].first == 0);
    CHECK_FALSE(rows[0].second);
    CHECK(rows[1].first == 1);
    CHECK(rows[1].second == 5);
    CHECK_FALSE(rows[2].first);
    CHECK(rows[3].first == 4);
    CHECK(pools.scope.documents == 6);
    CHECK(pools.scope.fingerprint == fingerprint_of(*pools.set));
    CHECK_FALSE(OpenPools({without}, access).scope.rows_of_ids);
  }
}

}  // namespace
}  // namespace inkling
