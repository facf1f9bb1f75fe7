#include "io/search/service/asked_words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "io/corpus/pool/open/joined_pool.hpp"
#include "io/search/score/event_scope.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

// Forty texts: "soil" is in every second one, "rose" in one, and "and" in all. The recipe leaves out "and" and "mine".
struct GardenPool {
  explicit GardenPool(bool keeps_texts = true, std::int32_t longest_ngram = 1) {
    test::SmallPool pool;
    pool.vocabulary = {"gold", "gold rush", "rose", "soil", "trial review"};
    pool.columns = 5;
    if (keeps_texts) pool.texts.emplace();
    for (int n = 0; n < 40; ++n) {
      pool.rows.push_back({});
      if (n == 7) pool.rows.back().push_back({2, 1.0F});
      if (n % 2 == 0) pool.rows.back().push_back({3, 0.5F});
      if (keeps_texts) pool.texts->push_back(n % 2 == 0 ? "Soil and mine." : "Sand AND me.");
    }
    TextRecipe recipe;
    recipe.stop_words = {"mine"};
    recipe.longest_ngram = longest_ngram;
    pool.recipe = R"({"source":"test","text":)" + recipe_json(recipe) + "}";
    test::write_pool(pool, folder.file("pool"));
    whole.emplace(folder.file("pool"), PoolTrust::checksums);
    scope = event_scope_of(whole->members());
    shown.emplace(whole->pool(), scope);
  }
  [[nodiscard]] std::vector<AskedWord> ask(std::string_view text) const { return asked_words(text, *shown); }
  [[nodiscard]] std::string why_not(std::string_view text) const { return ask(text).front().why_not; }
  [[nodiscard]] std::vector<std::string> proposed(std::string_view sentence) const {
    const std::vector<AskedWord> words = ask(sentence);
    std::vector<std::string> names;
    for (const std::size_t place : proposed_words(words, *shown)) names.push_back(words[place].typed);
    return names;
  }

  test::TemporaryFolder folder;
  std::optional<WholePool> whole;
  EventScope scope;
  std::optional<ShownPool> shown;
};

// How each word was read, such as soil, -soil or "soil", joined by bars.
std::string read_as(const std::vector<AskedWord>& words) {
  std::string text;
  for (const AskedWord& word : words) {
    const std::string quote = word.phrase ? "\"" : "";
    text += (text.empty() ? "" : "|") + std::string(word.wanted ? "" : "-") + quote + word.typed + quote;
  }
  return text;
}

TEST_CASE("commas and blanks and line ends separate words and quotes make a phrase and a minus belongs to the word after it") {
  const GardenPool pool;
  CHECK(read_as(pool.ask("gold, mine, ounces, -price, silver")) == "gold|mine|ounces|-price|silver");
  CHECK(read_as(pool.ask(" gold mine\tounces ,, ;\n")) == "gold|mine|ounces");
  CHECK(read_as(pool.ask("\"gold rush\" -\"gold mine\" “soil”")) == "\"gold rush\"|-\"gold mine\"|\"soil\"");
  CHECK(read_as(pool.ask("soil \"gold rush")) == "soil|gold|rush");  // the quote is not closed
  CHECK(read_as(pool.ask("\"\" \" \" - , –")).empty());
  CHECK(read_as(pool.ask("- price, soil, − rose")) == "-price|soil|-rose");
  CHECK(read_as(pool.ask("soil - a rose")) == "soil|a|rose");              // a dash
  CHECK(read_as(pool.ask("- soil\n- rose\n-mine")) == "soil|rose|-mine");  // a list
  CHECK(read_as(pool.ask("- soil\xE2\x80\xA8- rose")) == "soil|rose");     // a line separator of Unicode
  CHECK(read_as(pool.ask("soil、rose，gold\xE3\x80\x80mine")) == "soil|rose|gold|mine");
  CHECK(pool.ask("").empty());
}

TEST_CASE("a word is found in any spelling that the recipe makes equal, and an unknown one says why it is unknown") {
  const GardenPool pool;
  CHECK(pool.ask("SOIL.").front().feature == FeatureId{3});
  CHECK(read_as(pool.ask("soil-based")) == "soil|based");
  CHECK(read_as(pool.ask("-soil/rose")) == "-soil|-rose");
  const GardenPool pairs(true, 2);
  CHECK(pairs.ask("gold-rush").front().feature == FeatureId{1});
  CHECK(pairs.ask("\"Gold Rush\"").front().feature == FeatureId{1});
  CHECK_FALSE(pairs.ask("gold rush").back().feature);

  CHECK(pool.why_not("zinc") == "in no document");
  CHECK(pool.why_not("mine") == "a stop word: left out when the pool was built");
  CHECK(pool.why_not("and") == "too common: left out when the pool was built");
  CHECK(pool.why_not("x") == "too short: left out when the pool was built");
  CHECK(pool.why_not("...") == "no letter or digit");
  CHECK(pool.why_not("\"gold rush days\"") == "a phrase: the pool needs --ngrams 1,3");
  CHECK(pool.why_not("\"gold mine\"") == "\"mine\" is a stop word: left out when the pool was built");
  CHECK(GardenPool(true, 2).why_not("\"soil rose\"") == "side by side in fewer than 3 documents");
  CHECK(GardenPool(false).why_not("zinc") == "in no document, or left out when the pool was built");
}

TEST_CASE_FIXTURE(test::InFolder, "words typed without blanks are cut as in the texts of the pool") {
  test::SmallPool small;
  small.vocabulary = {"盎司", "黄金"};
  small.columns = 2;
  small.rows = {{{0, 1.0F}}, {{1, 1.0F}}};
  TextRecipe recipe;
  recipe.tokens = {.rule = TokenRule::dictionary, .min_length = 1};
  small.recipe = R"({"source":"test","text":)" + recipe_json(recipe) + "}";
  test::write_pool(small, folder.file("pool"));
  const WholePool whole(folder.file("pool"), PoolTrust::checksums);
  const EventScope scope = event_scope_of(whole.members());
  const std::vector<AskedWord> words = asked_words("黄金，-第一年盎司", ShownPool(whole.pool(), scope));
  CHECK(words.front().feature == 1);
  CHECK(words.front().wanted);
  CHECK(words.back().typed == "盎司");
  CHECK(words.back().feature == 0);
  CHECK_FALSE(words.back().wanted);
  CHECK(words.size() > 2);  // with words that are in no document
  CHECK(words[1].why_not == "in no document");
}

TEST_CASE("a sentence proposes its rarest words and then unknown ones, and a list is answered in order") {
  const GardenPool pool;
  CHECK(pool.proposed("Where are the soil of 1999, a rose, and some zinc of mine?") ==
        std::vector<std::string>{"soil", "rose", "zinc"});
  CHECK(pool.proposed("A systematic review of the effects of a rose") == std::vector<std::string>{"rose"});
  CHECK(GardenPool(true, 2).proposed("A trial-review of the gold-rush") == std::vector<std::string>{"gold-rush"});
  CHECK(pool.proposed("roses and Rose and rose, -zinc") == std::vector<std::string>{"Rose", "roses"});
  CHECK(pool.proposed("").empty());

  RandomStream random(17, 0, RandomRole::pool);
  const std::array<std::string_view, 5> words = {"soil", "rose", "mine", "zinc", "and"};
  const std::array<std::string_view, 6> dividers = {" ", ",", ", ", "\n", " ; ", "\xC2\xA0"};
  for (int round = 0; round < 200; ++round) {
    std::string text;
    std::string expected;
    for (std::uint64_t left = random.below(8); left > 0; --left) {
      const bool wanted = random.below(3) != 0;
      const std::string_view word = words[random.below(words.size())];
      const std::string written = (wanted ? "" : "-") + std::string(word);
      text += written + std::string(dividers[random.below(dividers.size())]);
      expected += (expected.empty() ? "" : "|") + written;
    }
    CAPTURE(text);
    const std::vector<AskedWord> asked = pool.ask(text);
    CHECK(read_as(asked) == expected);
    CHECK(std::ranges::all_of(asked, [](const AskedWord& one) { return one.feature || !one.why_not.empty(); }));
  }
}

}  // namespace
}  // namespace inkling
