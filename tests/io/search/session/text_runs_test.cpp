#include "io/search/session/text_runs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "io/corpus/from_text/text_builder.hpp"
#include "io/corpus/text/decoding.hpp"
#include "io/corpus/text/padded_text.hpp"
#include "tests/support/io/memory_source.hpp"
#include "tests/support/io/plain_text.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using Vocabulary = std::map<std::string, FeatureId, std::less<>>;
using Runs = std::vector<TextRun>;

TermFeature features_of(const Vocabulary& vocabulary) {
  return [&vocabulary](std::string_view term) -> std::optional<FeatureId> {
    const auto found = vocabulary.find(term);
    return found == vocabulary.end() ? std::nullopt : std::optional(found->second);
  };
}

std::string joined_pieces(const Runs& runs) {
  std::string text;
  for (const TextRun& run : runs) text += run.piece;
  return text;
}

// How often each feature occurs in the runs.
std::map<FeatureId, std::int64_t> counts_in(const Runs& runs) {
  std::map<FeatureId, std::int64_t> counts;
  for (const TextRun& run : runs) {
    if (run.feature) ++counts[*run.feature];
    for (const TextPhrase& phrase : run.phrases) ++counts[phrase.feature];
  }
  return counts;
}

TEST_CASE("a text is cut at the words that are features") {
  const Vocabulary vocabulary = {{"rose", 7}, {"soil", 4}};
  CHECK(text_runs("The Soil, dry. A rose", {}, features_of(vocabulary)) ==
        Runs{{"The "}, {"Soil", 4}, {", dry. A "}, {"rose", 7}});
  CHECK(text_runs("soilrose", {}, features_of(vocabulary)) == Runs{{"soilrose"}});
  CHECK(text_runs("", {}, features_of(vocabulary)).empty());
}

TEST_CASE("a phrase is reported at its first word with its end") {
  const Vocabulary vocabulary = {{"clay soil", 1}, {"dry soil", 2}, {"soil", 3}, {"soil clay soil", 4}};
  TextRecipe recipe;
  recipe.longest_ngram = 3;
  recipe.stop_words = {"and", "the"};
  CHECK(text_runs("Dry, and the soil: clay-soil", recipe, features_of(vocabulary)) ==
        Runs{{"Dry", {}, {{2, 3}}}, {", and the "}, {"soil", 3, {{4, 5}}}, {": "}, {"clay", {}, {{1, 3}}}, {"-"}, {"soil", 3}});
  recipe.shortest_ngram = 2;
  CHECK(text_runs("clay soil", recipe, features_of(vocabulary)) == Runs{{"clay", {}, {{1, 3}}}, {" "}, {"soil"}});
}

TEST_CASE("a left-out word between two others does not separate them") {
  const Vocabulary vocabulary = {{"clay soil", 1}};
  TextRecipe recipe;
  recipe.longest_ngram = 2;
  CHECK(text_runs("clay a soil", recipe, features_of(vocabulary)) == Runs{{"clay", {}, {{1, 3}}}, {" a "}, {"soil"}});
  CHECK(text_runs("clay as soil", recipe, features_of(vocabulary)) == Runs{{"clay as soil"}});
}

TEST_CASE("bytes that are not UTF-8 end a word and stay in the text") {
  const Vocabulary vocabulary = {{"soil", 3}};
  const std::string text = "so\xFFil \xE2\x82soil\xC3 \xF0soil";
  CHECK(text_runs(text, {}, features_of(vocabulary)) ==
        Runs{{std::string_view(text).substr(0, 8)}, {"soil", 3}, {std::string_view(text).substr(12, 3)}, {"soil", 3}});
}

std::string random_garden_text(RandomStream& random) {
  static const std::vector<std::string> pieces = {"soil",
                                                  "Soil",
                                                  "rose",
                                                  "ROSE",
                                                  "clay",
                                                  "Größe",
                                                  "ΣΑΣ",
                                                  "ΑΣ'",
                                                  "İs",
                                                  "the",
                                                  "The",
                                                  "and",
                                                  "a",
                                                  "x1",
                                                  "東京",
                                                  "\xFF",
                                                  "\xC3",
                                                  "\xE2\x82",
                                                  "an_uncommonly_long_word",
                                                  "é",
                                                  "'"};
  static const std::vector<std::string> gaps = {" ", "  ", ", ", "-", "\n", "", "\xC2\xA0"};
  std::string text;
  for (std::uint64_t left = random.below(30); left > 0; --left)
    text += pieces[random.below(1 + random.below(pieces.size()))] + gaps[random.below(1 + random.below(gaps.size()))];
  return text;
}

TextRecipe random_counting_recipe(RandomStream& random) {
  TextRecipe recipe;
  recipe.tokens.rule = random.coin(0.8) ? TokenRule::words : TokenRule::letters;
  recipe.tokens.letter_case = random.coin(0.8) ? LetterCase::lower : LetterCase::keep;
  recipe.tokens.min_length = static_cast<std::int32_t>(1 + random.below(3));
  if (random.coin(0.5)) recipe.stop_words = {"and", "the", "σας"};
  recipe.longest_ngram = static_cast<std::int32_t>(1 + random.below(4));
  recipe.shortest_ngram = static_cast<std::int32_t>(1 + random.below(static_cast<std::uint64_t>(recipe.longest_ngram)));
  if (random.coin(0.3)) recipe.min_documents = {DocumentThreshold::Kind::count, 2.0};
  if (random.coin(0.3)) recipe.max_features = 1 + static_cast<std::int64_t>(random.below(12));
  // Makes the values of the pool counts.
  recipe.weight = TermWeight::raw;
  recipe.idf = IdfKind::none;
  recipe.norm = RowNorm::none;
  return recipe;
}

// The text as `inkling build` reads it, with bytes that are not UTF-8 replaced.
std::string decoded(const std::string& text) {
  const PaddedText bytes(text);
  PaddedText scratch;
  return std::string(*TextDecoder(bytes.view(), TextEncoding::utf8, BadBytes::replace).decode(bytes.view(), scratch));
}

void build_pool(const std::string& path, const std::vector<std::string>& texts, const TextRecipe& recipe) {
  test::MemorySource source(test::documents_of(texts));
  PoolStaging staging(path);
  TextBuildOptions options;
  options.recipe = recipe;
  (void)build_text_pool(source, options, staging);
}

std::map<FeatureId, std::int64_t> counts_in(SparseRow row) {
  std::map<FeatureId, std::int64_t> counts;
  for (std::size_t n = 0; n < row.size(); ++n) counts[row.features[n]] = static_cast<std::int64_t>(row.values[n]);
  return counts;
}

// The words of a text, joined as in a term.
std::string term_of(const std::string& text, const TextRecipe& recipe) {
  std::string term;
  for (const std::string& token : test::plain_tokens(decoded(text), recipe.tokens))
    if (!std::ranges::binary_search(recipe.stop_words, token)) term += (term.empty() ? "" : " ") + token;
  return term;
}

// Checks that words and phrases are where the runs say. A capital sigma may have another lower case alone than in its word.
void check_terms(const Runs& runs, const Pool& pool, const TextRecipe& recipe) {
  for (std::size_t n = 0; n < runs.size(); ++n) {
    std::vector<TextPhrase> terms = runs[n].phrases;
    if (runs[n].feature) terms.push_back({*runs[n].feature, 1});
    for (const TextPhrase& term : terms) {
      REQUIRE(n + term.runs <= runs.size());
      const auto first = runs.begin() + static_cast<std::ptrdiff_t>(n);
      const std::string piece = joined_pieces({first, first + static_cast<std::ptrdiff_t>(term.runs)});
      if (piece.find("Σ") == std::string::npos) REQUIRE(term_of(piece, recipe) == (*pool.vocabulary())[term.feature]);
    }
  }
}

TEST_CASE_FIXTURE(test::InFolder, "runs hold each feature as often as the pool that was built from the text") {
  RandomStream random(51, 0, RandomRole::pool);
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<std::string> written(1 + random.below(12));
    for (std::string& text : written) text = random_garden_text(random);
    std::vector<std::string> texts = written;
    std::ranges::transform(texts, texts.begin(), decoded);
    const std::string path = folder.file("pool" + std::to_string(trial));
    const TextRecipe recipe = random_counting_recipe(random);
    build_pool(path, texts, recipe);
    const Pool pool = Pool::open(path);
    CAPTURE(trial);
    for (std::size_t n = 0; n < written.size(); ++n) {
      CAPTURE(written[n]);
      const std::map<FeatureId, std::int64_t> expected = counts_in(pool.view().by_document.row(static_cast<DocumentId>(n)));
      const Runs runs = text_runs(written[n], pool);
      REQUIRE(joined_pieces(runs) == written[n]);
      REQUIRE(counts_in(runs) == expected);
      check_terms(runs, pool, recipe);
      REQUIRE(counts_in(text_runs(texts[n], pool)) == expected);
    }
  }
}

TEST_CASE_FIXTURE(test::InFolder, "a text of a pool without words or without a recipe for text is one run") {
  test::SmallPool small = test::small_pool();
  test::write_pool(small, folder.file("no_recipe"));
  CHECK(text_runs("soil \xFF", Pool::open(folder.file("no_recipe"))) == Runs{{"soil \xFF"}});
  small.vocabulary = std::nullopt;
  test::write_pool(small, folder.file("no_words"));
  CHECK(text_runs("soil", Pool::open(folder.file("no_words"))) == Runs{{"soil"}});
  CHECK(text_runs("", Pool::open(folder.file("no_words"))).empty());
}

}  // namespace
}  // namespace inkling
