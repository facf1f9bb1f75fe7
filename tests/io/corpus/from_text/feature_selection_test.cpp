#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "io/corpus/from_text/weighting_pass.hpp"

namespace inkling {
namespace {

using Kind = DocumentThreshold::Kind;

struct CountedCorpus {
  TermTable terms{{}};
  std::vector<std::uint64_t> occurrences = {9, 9, 2, 30};  // by number, like the documents below

  CountedCorpus() {
    constexpr std::uint32_t documents[] = {4, 1, 2, 10};
    TermId number = 0;
    for (const std::string_view word : {"bee", "dog", "cow", "ant"}) {
      const ShortTerm term = ShortTerm::of(word);
      REQUIRE(terms.intern(term, ShortTermHash()(term), Numbering::term) == number);
      terms.add_documents(std::vector<TermCount>{{number, documents[number]}});
      ++number;
    }
  }

  [[nodiscard]] FeatureSelection select(const TextRecipe& recipe) {
    return select_features(terms, 10, recipe, [this] { return occurrences; });
  }
};

using Words = std::vector<std::string_view>;

TEST_CASE("without limits every term is a feature in order of its bytes") {
  CountedCorpus corpus;
  const FeatureSelection all = corpus.select({});
  CHECK(all.terms == Words{"ant", "bee", "cow", "dog"});
  CHECK(all.document_frequency == std::vector<std::int32_t>{10, 4, 2, 1});
  CHECK(all.feature_of_term == LargeVector<FeatureId>{1, 3, 2, 0});
  CHECK(all.dropped == DroppedTerms{});
}

TEST_CASE("thresholds are numbers of documents or shares of them and include their ends") {
  TextRecipe recipe;
  recipe.min_documents = {Kind::count, 2};
  recipe.max_documents = {Kind::share, 0.4};
  CountedCorpus corpus;
  const FeatureSelection some = corpus.select(recipe);
  CHECK(some.terms == Words{"bee", "cow"});
  CHECK(some.dropped == DroppedTerms{.too_rare = 1, .too_frequent = 1, .beyond_most = 0});
  CHECK(some.feature_of_term == LargeVector<FeatureId>{0, FeatureSelection::none, 1, FeatureSelection::none});

  recipe.min_documents = {Kind::share, 0.15};  // one and a half documents
  recipe.max_documents = {Kind::count, 3};
  CHECK(corpus.select(recipe).terms == Words{"cow"});
}

TEST_CASE("a threshold that is a share can have a least number of documents") {
  TextRecipe recipe;
  CountedCorpus corpus;
  recipe.max_documents = {.kind = Kind::share, .value = 0.3, .at_least = 4};
  CHECK(corpus.select(recipe).terms == Words{"bee", "cow", "dog"});
  recipe.max_documents.at_least = 2;
  CHECK(corpus.select(recipe).terms == Words{"cow", "dog"});
}

TEST_CASE("the most frequent terms are those that occur most often and ties go to the first") {
  TextRecipe recipe;
  recipe.max_features = 2;
  CountedCorpus corpus;
  const FeatureSelection two = corpus.select(recipe);
  CHECK(two.terms == Words{"ant", "bee"});  // bee and dog occur equally often
  CHECK(two.dropped.beyond_most == 2);
  recipe.max_features = 4;
  CHECK(corpus.select(recipe).terms.size() == 4);
}

TEST_CASE("if a word counts once in each document the most frequent terms are those in most documents") {
  TextRecipe recipe;
  recipe.max_features = 2;
  recipe.weight = TermWeight::binary;
  CountedCorpus corpus;
  corpus.occurrences = {1, 1, 1, 100};
  const FeatureSelection most = corpus.select(recipe);
  CHECK(most.terms == Words{"ant", "bee"});
  CHECK(most.document_frequency == std::vector<std::int32_t>{10, 4});
}

TEST_CASE("given terms are the features whether documents hold them or not") {
  const CountedCorpus corpus;
  const Words given = {"aardvark", "bee", "cow", "zebra"};
  const FeatureSelection selection = select_given_features(corpus.terms, given, {});
  CHECK(selection.terms == given);
  CHECK(selection.document_frequency == std::vector<std::int32_t>{0, 4, 2, 0});
  CHECK(selection.feature_of_term == LargeVector<FeatureId>{1, FeatureSelection::none, 2, FeatureSelection::none});
  CHECK(selection.dropped == DroppedTerms{.not_given = 2});
  CHECK(select_given_features(TermTable({}), given, {}).document_frequency == std::vector<std::int32_t>(4));
  CHECK(select_given_features(corpus.terms, {}, {}).terms.empty());
}

TEST_CASE("a corpus without terms has no features") {
  TermTable empty({});
  const FeatureSelection none = select_features(empty, 0, {}, {});
  CHECK(none.terms.empty());
  CHECK(none.feature_of_term.empty());
}

}  // namespace
}  // namespace inkling
