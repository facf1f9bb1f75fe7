#include "io/corpus/from_text/text_recipe.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"

namespace inkling {
namespace {

std::string manifest_of(const TextRecipe& recipe) { return R"({"sources":["x"],"text":)" + recipe_json(recipe) + "}"; }

TEST_CASE("a recipe reads back from a manifest as it was written") {
  CHECK(recipe_of_manifest(manifest_of({})) == TextRecipe());
  TextRecipe recipe;
  recipe.tokens = {TokenRule::letters, 3, LetterCase::keep};
  recipe.stop_words = {"a \"quoted\" one", "ünd"};
  recipe.shortest_ngram = 2;
  recipe.longest_ngram = 3;
  recipe.title_weight = 5;
  recipe.min_documents = {DocumentThreshold::Kind::share, 0.25};
  recipe.max_documents = {DocumentThreshold::Kind::count, 7};
  recipe.min_documents_of_runs = 3;
  recipe.idf_of_other_runs = 1.0 / 3.0;
  recipe.max_features = 1'000'000'000'000;
  recipe.weight = TermWeight::sublinear;
  recipe.idf = IdfKind::none;
  recipe.norm = RowNorm::l1;
  CHECK(recipe_of_manifest(manifest_of(recipe)) == recipe);
}

TEST_CASE("by default a word counts less the more often it comes, and words of nearly all documents are left out") {
  const TextRecipe recipe;
  CHECK(recipe.weight == TermWeight::sublinear);
  CHECK(recipe.stop_words.empty());
  CHECK(threshold_text(recipe.max_documents) == "95%, or 19 documents if that is more");
  CHECK(recipe.max_documents.documents(3) == 19.0);
  CHECK(recipe.max_documents.documents(20) == 19.0);
  CHECK(recipe.max_documents.documents(1000) == 950.0);
}

TEST_CASE("what the other choice of terms would take is said of words, and of words and pairs") {
  TextRecipe recipe;
  CHECK(pairs_text(recipe).starts_with("words; with pairs"));
  recipe.longest_ngram = kNgramsBySize;
  recipe.choose_ngrams(true);
  CHECK(pairs_text(recipe).find("words alone (--ngrams 1)") != std::string::npos);
  recipe.shortest_ngram = 2;
  CHECK(pairs_text(recipe).empty());
  recipe = TextRecipe();
  recipe.longest_ngram = 3;
  CHECK(pairs_text(recipe).empty());
}

TEST_CASE("the defaults of scikit-learn differ from ours in the choice of words and weights alone") {
  TextRecipe recipe = TextRecipe::like_scikit_learn();
  CHECK(recipe.weight == TermWeight::raw);
  CHECK(ngrams_text(recipe) == "1");
  CHECK(threshold_text(recipe.max_documents) == "100%");
  recipe.longest_ngram = 2;
  CHECK(recipe_of_manifest(manifest_of(recipe)) == recipe);
  const TextRecipe ours;
  recipe.weight = ours.weight;
  recipe.longest_ngram = ours.longest_ngram;
  recipe.title_weight = ours.title_weight;
  recipe.max_documents = ours.max_documents;
  recipe.min_documents_of_runs = ours.min_documents_of_runs;
  CHECK(recipe == ours);
}

TEST_CASE("a recipe without a weight of titles has weight 1") {
  CHECK(TextRecipe().title_weight == 3);
  std::string old = manifest_of({});
  const std::string_view member = ",\"title_weight\":3";
  REQUIRE(old.find(member) != std::string::npos);
  old.erase(old.find(member), member.size());
  const std::optional<TextRecipe> recipe = recipe_of_manifest(old);
  REQUIRE(recipe);
  CHECK(recipe->title_weight == 1);
}

TEST_CASE("a share without a least number of documents in a manifest has none") {
  std::string old = manifest_of({});
  const std::string_view least = ",\"at_least\":19";
  REQUIRE(old.find(least) != std::string::npos);
  old.erase(old.find(least), least.size());
  const std::optional<TextRecipe> recipe = recipe_of_manifest(old);
  REQUIRE(recipe);
  CHECK(recipe->max_documents == DocumentThreshold{DocumentThreshold::Kind::share, 0.95});
  CHECK(recipe->max_documents.documents(10) == 9.5);
}

TEST_CASE("a term that no document holds has a finite idf") {
  CHECK(inverse_document_frequency(IdfKind::smooth, 3, 0) == doctest::Approx(std::log(4.0) + 1.0));
  CHECK(inverse_document_frequency(IdfKind::plain, 3, 0) == inverse_document_frequency(IdfKind::plain, 3, 1));
  CHECK(inverse_document_frequency(IdfKind::plain, 0, 0) == 1.0);
  CHECK(inverse_document_frequency(IdfKind::none, 3, 0) == 1.0);
}

TEST_CASE("a pool that was not made from text has no recipe of text") {
  CHECK_FALSE(recipe_of_manifest("{}"));
  CHECK_FALSE(recipe_of_manifest(R"({"format":"svmlight"})"));
}

TEST_CASE("a recipe that is not valid is refused") {
  CHECK_THROWS_AS(static_cast<void>(recipe_of_manifest("[]")), FormatError);
  CHECK_THROWS_AS(static_cast<void>(recipe_of_manifest(R"({"text":{}})")), FormatError);
  std::string wrong = manifest_of({});
  wrong.replace(wrong.find("\"words\""), 7, "\"sound\"");
  CHECK_THROWS_AS(static_cast<void>(recipe_of_manifest(wrong)), FormatError);
  wrong = manifest_of({});
  wrong.replace(wrong.find("\"at_least\":19"), 13, "\"at_least\":{}");
  CHECK_THROWS_AS(static_cast<void>(recipe_of_manifest(wrong)), FormatError);
}

TEST_CASE("weights and idf follow their formulas") {
  CHECK(term_weight(TermWeight::raw, 5) == 5.0);
  CHECK(term_weight(TermWeight::binary, 5) == 1.0);
  CHECK(term_weight(TermWeight::sublinear, 5) == doctest::Approx(1.0 + std::log(5.0)).epsilon(1e-15));
  CHECK(term_weight(TermWeight::sublinear, 1) == 1.0);
  CHECK(inverse_document_frequency(IdfKind::smooth, 9, 4) == doctest::Approx(std::log(2.0) + 1.0).epsilon(1e-15));
  CHECK(inverse_document_frequency(IdfKind::plain, 8, 4) == doctest::Approx(std::log(2.0) + 1.0).epsilon(1e-15));
  CHECK(inverse_document_frequency(IdfKind::none, 8, 4) == 1.0);
}

TEST_CASE("an invalid recipe of a pool is reported with its file") {
  TextRecipe recipe;
  const auto told = [&recipe](std::int32_t shortest, std::int32_t longest) {
    recipe.shortest_ngram = shortest;
    recipe.longest_ngram = longest;
    return Manifest{.program_version = "test", .recipe = manifest_of(recipe), .files = {}};
  };
  CHECK(recipe_of_pool("P", told(2, kLongestNgram)) == recipe);
  const char* const problem = "P/manifest.json: in \"recipe\": expected a valid member \"longest_ngram\"";
  CHECK_THROWS_WITH_AS(static_cast<void>(recipe_of_pool("P", told(1, 1'000'000))), problem, CorruptFileError);
  CHECK_THROWS_WITH_AS(static_cast<void>(recipe_of_pool("P", told(3, 2))), problem, CorruptFileError);
  for (const char* const text : {R"({"text":7})", R"({"text":[]})", R"({"text":{}})"}) {
    const Manifest wrong = {.program_version = "test", .recipe = text, .files = {}};
    CHECK_THROWS_AS(static_cast<void>(recipe_of_pool("P", wrong)), CorruptFileError);
  }
}

}  // namespace
}  // namespace inkling
