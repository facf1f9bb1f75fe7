#include "io/corpus/from_text/text_builder.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/core/random_stream.hpp"
#include "io/corpus/from_text/explanation.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/with_threads.hpp"
#include "tests/support/io/memory_source.hpp"
#include "tests/support/io/plain_text.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::InFolder;
using test::MemorySource;

struct MemoryCorpus {
  std::vector<test::MemoryDocument> documents;
  std::size_t per_chunk = 3;
};

MemoryCorpus corpus_of(const std::vector<std::string>& all, std::size_t per_chunk = 3) {
  return {test::documents_of(all), per_chunk};
}

TextBuildSummary build(const std::string& path, MemoryCorpus corpus, const TextBuildOptions& options = {}) {
  MemorySource source(std::move(corpus.documents), corpus.per_chunk);
  PoolStaging staging(path);
  return build_text_pool(source, options, staging);
}

std::vector<std::string> random_documents(RandomStream& random) {
  static const std::vector<std::string> words = {
      "the", "The", "cat", "sat", "on", "mat", "naïve", "ΣΑΣ", "東京", "x1", "y_2", "an_uncommonly_long_word", "a"};
  std::vector<std::string> documents(random.below(40));
  for (std::string& document : documents) {
    const std::uint64_t length = random.below(30);
    for (std::uint64_t n = 0; n < length; ++n)
      document += words[random.below(1 + random.below(words.size()))] + (random.coin(0.7) ? " " : ", ");
  }
  return documents;
}

// The length of a title at the start of the text: whole words, nothing or all.
std::size_t random_title(const std::string& text, RandomStream& random) {
  const std::size_t end = text.find(' ', random.below(text.size() + 1));
  return random.coin(0.2) ? 0 : std::min(end, text.size());
}

TextRecipe random_recipe(RandomStream& random) {
  TextRecipe recipe;
  recipe.tokens.rule = random.coin(0.8) ? TokenRule::words : TokenRule::letters;
  recipe.tokens.min_length = static_cast<std::int32_t>(1 + random.below(3));
  if (random.coin(0.3)) recipe.stop_words = {"mat", "the"};
  recipe.longest_ngram = random.coin(0.5) ? static_cast<std::int32_t>(2 + random.below(2)) : 1;
  recipe.title_weight = static_cast<std::int32_t>(1 + random.below(4));
  if (random.coin(0.3)) recipe.shortest_ngram = recipe.longest_ngram;
  recipe.min_documents_of_runs = static_cast<std::int64_t>(1 + random.below(3));
  if (random.coin(0.3)) recipe.min_documents = {DocumentThreshold::Kind::count, 2.0};
  if (random.coin(0.3)) recipe.max_documents = {DocumentThreshold::Kind::share, 0.5};
  if (random.coin(0.3)) recipe.max_features = 4;
  recipe.weight = static_cast<TermWeight>(random.below(3));
  recipe.idf = static_cast<IdfKind>(random.below(3));
  recipe.norm = static_cast<RowNorm>(random.below(3));
  return recipe;
}

void check_against_twin(const Pool& pool, const test::PlainMatrix& twin) {
  REQUIRE(pool.vocabulary()->size() == static_cast<std::int64_t>(twin.terms.size()));
  for (std::size_t j = 0; j < twin.terms.size(); ++j) {
    REQUIRE((*pool.vocabulary())[static_cast<std::int64_t>(j)] == twin.terms[j]);
    REQUIRE(pool.document_frequency()[j] == twin.document_frequency[j]);
  }
  REQUIRE(pool.view().documents() == static_cast<DocumentId>(twin.rows.size()));
  for (DocumentId i = 0; i < pool.view().documents(); ++i) {
    const SparseRow row = pool.view().by_document.row(i);
    const std::map<int, double>& expected = twin.rows[static_cast<std::size_t>(i)];
    REQUIRE(row.size() == expected.size());
    std::size_t n = 0;
    for (const auto& [feature, value] : expected) {
      REQUIRE(row.features[n] == feature);
      REQUIRE(std::abs(static_cast<double>(row.values[n]) - value) <= 1e-7 * std::max(1.0, value));
      ++n;
    }
  }
}

TEST_CASE_FIXTURE(InFolder, "a pool of random documents and a random recipe equals the plain twin's") {
  RandomStream random(21, 0, RandomRole::pool);
  for (int trial = 0; trial < test::cases(150); ++trial) {
    CAPTURE(trial);
    const std::vector<std::string> documents = random_documents(random);
    TextBuildOptions options;
    options.recipe = random_recipe(random);
    MemoryCorpus corpus = corpus_of(documents, 1 + random.below(5));
    std::vector<std::size_t> titles;
    for (test::MemoryDocument& document : corpus.documents) {
      document.title_bytes = random_title(document.text, random);
      titles.push_back(document.title_bytes);
    }
    build(folder.file("pool"), std::move(corpus), options);
    check_against_twin(Pool::open(folder.file("pool")), test::plain_matrix(documents, options.recipe, titles));
  }
}

std::map<std::string, std::string> files_of(const std::string& pool) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(pool))
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(pool).generic_string()] = test::text_of(entry.path().generic_string());
  return files;
}

std::vector<test::MemoryDocument> many_documents() {
  RandomStream random(22, 0, RandomRole::pool);
  std::vector<test::MemoryDocument> documents(3000);
  for (std::size_t n = 0; n < documents.size(); ++n) {
    documents[n].id = "id" + std::to_string(n);
    documents[n].label = n % 7 == 0 ? "" : "topic " + std::to_string(n % 3);
    for (int word = 0; word < 40; ++word) documents[n].text += "w" + std::to_string(random.below(1 + random.below(5000))) + " ";
  }
  return documents;
}

TEST_CASE_FIXTURE(InFolder, "the bytes of a pool depend on neither threads nor memory nor chunks") {
  TextBuildOptions options;
  options.texts = TextKeeping::keep;
  build(folder.file("first"), MemoryCorpus{many_documents()}, options);
  const std::map<std::string, std::string> expected = files_of(folder.file("first"));
  CHECK(expected.size() == 16);
  for (const int threads : {1, 2, 8}) {
    for (const std::uint64_t memory : {std::uint64_t{8} << 30U, least_build_memory(threads)}) {
      options.memory = memory;
      test::with_threads(threads, [&] {
        build(folder.file("again"), MemoryCorpus{many_documents(), 1 + static_cast<std::size_t>(threads) * 50}, options);
      });
      CAPTURE(threads);
      CAPTURE(memory);
      CHECK(files_of(folder.file("again")) == expected);
    }
  }
}

TEST_CASE_FIXTURE(InFolder, "ids and labels and texts are kept by row and may be missing") {
  TextBuildOptions options;
  options.texts = TextKeeping::keep;
  build(folder.file("pool"), MemoryCorpus{{{"zwei"}, {"one two", "id 1", "b"}, {"", "", "a"}, {"three", "id 3", ""}}, 1},
        options);
  const Pool pool = Pool::open(folder.file("pool"));
  CHECK(pool.label_names() == std::vector<std::string>{"a", "b"});
  CHECK(std::vector<std::int32_t>(pool.labels().begin(), pool.labels().end()) == std::vector<std::int32_t>{-1, 1, 0, -1});
  REQUIRE(pool.ids());
  CHECK((*pool.ids())[0].empty());
  CHECK((*pool.ids())[1] == "id 1");
  CHECK((*pool.ids())[3] == "id 3");
  REQUIRE(pool.texts());
  CHECK((*pool.texts())[1] == "one two");
  CHECK((*pool.texts())[2].empty());
  CHECK(recipe_of_manifest(pool.manifest().recipe) == options.recipe);
}

TEST_CASE_FIXTURE(InFolder, "a pool has no file for ids or labels or texts that no document has") {
  build(folder.file("pool"), corpus_of({"one", "two"}));
  const Pool pool = Pool::open(folder.file("pool"));
  CHECK_FALSE(pool.ids());
  CHECK_FALSE(pool.texts());
  CHECK(pool.labels().empty());
}

TEST_CASE_FIXTURE(InFolder, "a corpus without documents or words still makes a pool") {
  build(folder.file("empty"), corpus_of({}));
  CHECK(Pool::open(folder.file("empty")).manifest().rows == 0);
  const TextBuildSummary summary = build(folder.file("wordless"), corpus_of({"", "- -", "a b"}));
  CHECK(summary.features == 0);
  const Pool pool = Pool::open(folder.file("wordless"));
  CHECK(pool.view().documents() == 3);
  CHECK(pool.view().features() == 0);
}

TEST_CASE_FIXTURE(InFolder, "the first bad record ends the build with its place for any number of threads") {
  std::vector<std::string> texts(200, "good words");
  texts[120] = "BAD";
  texts[50] = "BAD";
  build(folder.file("pool"), corpus_of({"the old pool"}));
  for (const int threads : {1, 2, 8}) {
    try {
      test::with_threads(threads, [&] { build(folder.file("pool"), corpus_of(texts)); });
      FAIL("no error");
    } catch (const FormatError& error) {
      CHECK(error.where() == "memory:51:1");
      CHECK(error.expectation() == "expected a good document");
    }
  }
  CHECK(folder.entries() == 1);
  CHECK(Pool::open(folder.file("pool")).manifest().rows == 1);
}

TEST_CASE_FIXTURE(InFolder, "terms that do not fit in memory end the build and say which limit") {
  std::vector<std::string> texts;
  for (int n = 0; n < 400; ++n) {
    std::string& text = texts.emplace_back();
    for (int word = 0; word < 5000; ++word) text += "w" + std::to_string(n * 5000 + word) + " ";
  }
  TextBuildOptions options;
  options.memory = least_build_memory(1);
  try {
    test::with_threads(1, [&] { build(folder.file("pool"), corpus_of(texts), options); });
    FAIL("no error");
  } catch (const FormatError& error) {
    CHECK(error.where() == "--memory");
    CHECK(error.expectation().find("different terms") != std::string::npos);
  }
  CHECK(folder.entries() == 0);
}

TEST_CASE_FIXTURE(InFolder, "a plan predicts what the build does") {
  TextBuildOptions options;
  options.texts = TextKeeping::keep;
  options.recipe.max_features = 1000;
  MemorySource source(many_documents());
  const TextPlan plan = plan_text_pool(source, options);
  const TextBuildSummary built = build(folder.file("pool"), MemoryCorpus{many_documents()}, options);
  CHECK(plan.summary.corpus.documents == built.corpus.documents);
  CHECK(plan.summary.nonzeros == built.nonzeros);
  CHECK(plan.summary.terms == built.terms);
  CHECK(plan.summary.dropped == built.dropped);
  std::uint64_t bytes = 0;
  for (const auto& [name, contents] : files_of(folder.file("pool")))
    if (name != "manifest.json") bytes += contents.size();
  CHECK(static_cast<double>(plan.pool_bytes) == doctest::Approx(static_cast<double>(bytes)).epsilon(0.01));
}

TEST_CASE_FIXTURE(InFolder, "given terms and idf make the columns and weights and the documents make the counts") {
  const std::vector<std::string_view> terms = {"cat", "dog", "mat"};
  const std::vector<double> idf = {2.0, 5.0, 1.0};
  TextBuildOptions options;
  options.given = GivenFeatures{terms, idf};
  options.recipe = TextRecipe::like_scikit_learn();
  options.recipe.norm = RowNorm::none;
  options.recipe.min_documents = {DocumentThreshold::Kind::count, 2.0};  // has no effect
  const TextBuildSummary summary = build(folder.file("pool"), corpus_of({"cat mat mat", "the cat", "nothing known"}), options);
  CHECK(summary.features == 3);
  CHECK(summary.unused_features == 1);
  CHECK(summary.dropped == DroppedTerms{.not_given = 3});
  const Pool pool = Pool::open(folder.file("pool"));
  CHECK((*pool.vocabulary())[1] == "dog");
  CHECK(std::vector(pool.document_frequency().begin(), pool.document_frequency().end()) == std::vector<std::int32_t>{2, 0, 1});
  CHECK(std::vector(pool.idf().begin(), pool.idf().end()) == idf);
  const SparseRow row = pool.view().by_document.row(0);
  CHECK(std::vector(row.values.begin(), row.values.end()) == std::vector<float>{2.0F, 2.0F});
  CHECK(pool.view().by_document.row(2).size() == 0);
}

TEST_CASE_FIXTURE(InFolder,
                  "documents that are built by the words of their pool, and explained by them, have the rows of their pool") {
  RandomStream random(24, 0, RandomRole::pool);
  for (int trial = 0; trial < test::cases(60); ++trial) {
    CAPTURE(trial);
    const std::vector<std::string> documents = random_documents(random);
    TextBuildOptions options;
    options.recipe = random_recipe(random);
    build(folder.file("whole"), corpus_of(documents), options);
    const Pool whole = Pool::open(folder.file("whole"));
    const TextRecipe recipe = *recipe_of_pool(whole.path(), whole.manifest());
    std::vector<std::string_view> terms;
    for (std::int64_t n = 0; n < whole.vocabulary()->size(); ++n) terms.push_back((*whole.vocabulary())[n]);
    options.recipe = recipe;
    options.given = GivenFeatures{.terms = terms, .idf = whole.idf()};
    const std::size_t some = documents.size() / 2;
    const std::vector<std::string> last(documents.begin() + static_cast<std::ptrdiff_t>(some), documents.end());
    build(folder.file("like"), corpus_of(last), options);
    const Pool like = Pool::open(folder.file("like"));
    CHECK(recipe_of_pool(like.path(), like.manifest()) == recipe);
    for (std::size_t n = 0; n < last.size(); ++n) {
      const SparseRow row = like.view().by_document.row(static_cast<DocumentId>(n));
      const SparseRow expected = whole.view().by_document.row(static_cast<DocumentId>(some + n));
      REQUIRE(std::ranges::equal(row.features, expected.features));
      REQUIRE(std::ranges::equal(row.values, expected.values));
      const Explanation explanation = explain_text(last[n], recipe, [&](std::string_view term) {
        const std::optional<FeatureId> feature = whole.feature_of(term);
        return feature ? std::optional(KnownTerm{*feature, 1, whole.idf()[static_cast<std::size_t>(*feature)]}) : std::nullopt;
      });
      for (const ExplainedTerm& term : explanation.terms) {
        if (!term.known) continue;
        const auto at = std::ranges::lower_bound(expected.features, term.known->feature);
        REQUIRE(expected.values[static_cast<std::size_t>(at - expected.features.begin())] ==
                doctest::Approx(term.weight).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE_FIXTURE(InFolder, "a pair of words in few documents counts in the length of its row and is no feature") {
  TextBuildOptions options;
  options.recipe.longest_ngram = 2;
  options.recipe.min_documents_of_runs = 2;
  const TextBuildSummary summary = build(folder.file("pool"), corpus_of({"red soil", "red soil", "red sea sea"}), options);
  CHECK(summary.dropped == DroppedTerms{.too_rare_runs = 2});
  const Pool pool = Pool::open(folder.file("pool"));
  REQUIRE(pool.vocabulary()->size() == 4);  // red, red soil, sea, soil
  const double red = 1.0;                   // in all three documents
  const double alone = std::log(2.0) + 1.0;
  const double sea = (1.0 + std::log(2.0)) * alone;
  const double length = std::sqrt(red * red + sea * sea + 2.0 * alone * alone);  // counts "red sea" and "sea sea", too
  CHECK(pool.view().by_document.row(2).values[0] == doctest::Approx(red / length));
  options.recipe.min_documents_of_runs = 1;
  build(folder.file("pool"), corpus_of({"red soil", "red soil", "red sea sea"}), options);
  const Pool all = Pool::open(folder.file("pool"));
  CHECK(all.vocabulary()->size() == 6);
}

TEST_CASE_FIXTURE(InFolder, "given terms without idf get that of the documents") {
  const std::vector<std::string_view> terms = {"cat", "dog"};
  TextBuildOptions options;
  options.given = GivenFeatures{terms};
  build(folder.file("pool"), corpus_of({"cat mat", "the cat", "mat"}), options);
  const Pool pool = Pool::open(folder.file("pool"));
  CHECK(pool.idf()[0] == inverse_document_frequency(IdfKind::smooth, 3, 2));
  CHECK(pool.idf()[1] == inverse_document_frequency(IdfKind::smooth, 3, 0));
}

TEST_CASE_FIXTURE(InFolder, "a check that throws ends the build and leaves nothing") {
  struct Stop {};
  TextBuildOptions options;
  options.check = [](const TextBuildSummary& summary) {
    CHECK(summary.corpus.documents == 2);
    CHECK(summary.features == 3);
    throw Stop();
  };
  CHECK_THROWS_AS(build(folder.file("pool"), corpus_of({"one two", "three"}), options), Stop);
  CHECK(folder.entries() == 0);
  MemorySource source(test::documents_of({"one two", "three"}));
  CHECK_THROWS_AS(static_cast<void>(plan_text_pool(source, options)), Stop);
}

TEST_CASE_FIXTURE(InFolder, "a build reports its progress and ends when its listener throws") {
  MemorySource source(many_documents());
  std::vector<BuildPhase> phases;
  {
    PoolStaging staging(folder.file("pool"));
    const TextBuildSummary summary =
        build_text_pool(source, {}, staging, [&](BuildPhase phase, std::uint64_t done, std::uint64_t total, std::int64_t) {
          CHECK(done <= total);
          if (phases.empty() || phases.back() != phase) phases.push_back(phase);
        });
    CHECK(summary.corpus.documents == 3000);
  }
  CHECK(phases == std::vector<BuildPhase>{BuildPhase::read, BuildPhase::weigh, BuildPhase::columns});

  struct Stop {};
  MemorySource again(many_documents());
  {
    PoolStaging staging(folder.file("other"));
    CHECK_THROWS_AS(static_cast<void>(build_text_pool(again, {}, staging,
                                                      [](BuildPhase phase, std::uint64_t, std::uint64_t, std::int64_t) {
                                                        if (phase == BuildPhase::weigh) throw Stop();
                                                      })),
                    Stop);
  }
  CHECK(folder.entries() == 1);
}

}  // namespace
}  // namespace inkling
