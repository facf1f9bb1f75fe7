#include "bench/paper/data/movie_reviews.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/bench/paper/data/small_archives.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::bench {
namespace {

using inkling::test::InFolder, inkling::test::TemporaryFolder;

MovieReviews prepared(const TemporaryFolder& folder, const test::ArchivedFiles& files) {
  const std::string path = folder.file("movies.tar.gz");
  inkling::test::write_archive(path, "tar", "gzip", files);
  return prepare_reviews(path, folder.file("pool"), [] {}, {1, 100});
}

std::vector<std::string> words_of(const MovieReviews& movies, SparseRow row) {
  std::vector<std::string> words;
  for (const FeatureId feature : row.features) words.emplace_back((*movies.pool.vocabulary())[feature]);
  return words;
}

TEST_CASE_FIXTURE(InFolder,
                  "rows are the annotated reviews by name with their judgement and their features in highlighted phrases") {
  const MovieReviews movies = prepared(folder, test::small_reviews());
  REQUIRE(movies.view().documents() == 8);
  for (DocumentId i = 0; i < 8; ++i) {
    const std::string expected = (i < 4 ? "negR_" : "posR_") + std::to_string(i % 4 + 1) + ".txt";
    CHECK((*movies.pool.ids())[i] == expected);
    CHECK(movies.pool.labels()[static_cast<std::size_t>(i)] == i / 4);
  }
  CHECK(movies.pool.label_names() == std::vector<std::string>{"NEG", "POS"});
  CHECK_FALSE(movies.pool.feature_of("nobody"));
  CHECK_FALSE(movies.pool.feature_of("and"));

  const CsrView highlights = movies.highlights.view();
  REQUIRE(highlights.rows() == 8);
  CHECK(words_of(movies, highlights.row(0)) == std::vector<std::string>{"bad", "film"});
  CHECK(highlights.row(3).empty());  // only stop words
  CHECK(words_of(movies, highlights.row(5)) == std::vector<std::string>{"great", "moving"});
  CHECK(words_of(movies, highlights.row(7)) == std::vector<std::string>{"great"});  // as spelled in the text
  for (const float value : highlights.values()) CHECK(value == 1.0F);
}

TEST_CASE_FIXTURE(InFolder,
                  "marking rates are shares of deciding and of other words, and the oracle tells good reviews from bad ones") {
  const MovieReviews movies = prepared(folder, test::small_reviews());
  std::int64_t deciding = 0;
  std::int64_t hits = 0;
  for (DocumentId i = 0; i < 8; ++i) {
    for (const FeatureId feature : movies.view().by_document.row(i).features) {
      if (!std::ranges::binary_search(movies.oracle, feature)) continue;
      ++deciding;
      hits += std::ranges::binary_search(movies.highlights.view().row(i).features, feature) ? 1 : 0;
    }
  }
  const MarkRates rates = movies.rates;
  REQUIRE(deciding > 0);
  CHECK(rates.deciding == static_cast<double>(hits) / static_cast<double>(deciding));
  const std::int64_t others = movies.view().by_document.nonzeros() - deciding;
  if (others > 0) {
    const std::int64_t false_marks = movies.highlights.view().nonzeros() - hits;
    CHECK(rates.others == static_cast<double>(false_marks) / static_cast<double>(others));
  }

  CHECK(std::ranges::binary_search(movies.oracle, *movies.pool.feature_of("great")));
  CHECK(movies.oracle_facts.find("POS") != std::string::npos);
}

TEST_CASE_FIXTURE(InFolder, "the pool of reviews is built again when a review or a judgement changes and only then") {
  test::ArchivedFiles files = test::small_reviews();
  const std::string manifest = folder.file("pool/manifest.json");
  static_cast<void>(prepared(folder, files));
  const std::string first = inkling::test::text_of(manifest);
  static_cast<void>(prepared(folder, files));
  CHECK(inkling::test::text_of(manifest) == first);
  files.front().second += " indeed";
  static_cast<void>(prepared(folder, files));
  CHECK(inkling::test::text_of(manifest) != first);
}

TEST_CASE_FIXTURE(InFolder, "reviews of one judgement alone are refused") {
  const test::ArchivedFiles files = {{"docs/a.txt", "fine"}, {"train.jsonl", test::annotation("a.txt", "POS", "fine")}};
  CHECK_THROWS_WITH_AS(static_cast<void>(prepared(folder, files)), doctest::Contains("found none of one"), FormatError);
}

}  // namespace
}  // namespace inkling::bench
