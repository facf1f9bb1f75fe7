#include "bench/paper/data/screened_reviews.hpp"

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/doors/commands/build_options.hpp"
#include "tests/bench/paper/data/small_archives.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::bench {
namespace {

using inkling::test::InFolder, inkling::test::TemporaryFolder;

ScreenedRecords records_in(std::string_view text) {
  MemoryStream stream(text);
  return check_screened_records(stream, "heart.jsonl");
}

std::vector<ScreenedReview> prepared_from(const TemporaryFolder& folder, const test::ArchivedFiles& files) {
  test::write_folder(folder.file("data"), files);
  return prepare_screened_reviews(
      folder.file("data"), folder.file("work"), [](std::string_view) {}, [] {});
}

constexpr std::string_view kRecord = R"({"id": 1, "title": "a b", "abstract": "c", "included": 0})"
                                     "\n";

TEST_CASE("records are counted with and without an abstract and blank lines are not") {
  const ScreenedRecords records = records_in(test::small_screened_review() + "\n  \n");
  CHECK(records.all == 24);
  CHECK(records.relevant == 6);
}

TEST_CASE("a bad record is refused with its line") {
  struct Case {
    std::string_view line, message;
  };
  const Case cases[] = {
      {"[1]", "heart.jsonl:2:1: expected a JSON object"},
      {R"({"title": "x"})", "heart.jsonl:2:1: expected 0 or 1 in the field \"included\", found none"},
      {R"({"title": "x", "included": 2})", "heart.jsonl:2:1: expected 0 or 1 in the field \"included\", found 2"},
      {R"({"title": "x", "included": "1"})", "heart.jsonl:2:1: expected 0 or 1 in the field \"included\", found a string"},
      {R"({"title": 7, "included": 1})", "heart.jsonl:2:1: expected a string in the field \"title\", found a number"},
      {R"({"text": "x", "included": 1})",
       "heart.jsonl:2:1: expected a string in the field \"title\" or \"abstract\", found none"}};
  for (const Case& bad : cases) {
    CAPTURE(bad.line);
    CHECK_THROWS_WITH_AS(static_cast<void>(records_in(std::string(kRecord) + std::string(bad.line) + "\n")),
                         doctest::Contains(bad.message.data()), FormatError);
  }
}

TEST_CASE("a review without relevant records or without irrelevant ones is refused") {
  CHECK_THROWS_WITH_AS(static_cast<void>(records_in(std::string(kRecord) + std::string(kRecord))),
                       doctest::Contains("heart.jsonl: expected at least 2 records that were included and 2 that "
                                         "were not, found 0 and 2"),
                       FormatError);
}

TEST_CASE_FIXTURE(InFolder, "the pool of a review has its records in order and the default recipe of inkling build") {
  const std::vector<ScreenedReview> reviews = prepared_from(
      folder,
      {{"b.jsonl", test::small_screened_review()}, {"a.jsonl", test::small_screened_review()}, {"README.md", "no review"}});
  REQUIRE(reviews.size() == 2);
  CHECK(reviews.front().name == "a");
  const ScreenedReview& review = reviews.back();
  CHECK(review.name == "b");
  REQUIRE(review.pool.view().documents() == 24);
  for (std::size_t n = 0; n < 24; ++n) CHECK((review.pool.labels()[n] == review.relevant) == (n % 4 == 0));
  const std::vector<std::string> source = {"a.jsonl"};
  CHECK(recipe_of_manifest(review.pool.manifest().recipe) ==
        recipe_for_corpus(recipe_for(build_option_table().parse(source), 1), 24));
  CHECK(review.pool.feature_of("statins"));  // in an abstract
  CHECK(review.pool.feature_of("w3"));       // in a title
}

TEST_CASE_FIXTURE(InFolder, "a bad file is named with its line and a review may not be there packed and unpacked") {
  CHECK_THROWS_WITH_AS(static_cast<void>(prepared_from(folder, {{"a.jsonl", "{}\n"}})),
                       doctest::Contains("data/a.jsonl:1:1: expected a string in the field"), FormatError);
  CHECK_THROWS_WITH_AS(static_cast<void>(prepared_from(
                           folder, {{"a.jsonl", test::small_screened_review()}, {"a.jsonl.gz", test::small_screened_review()}})),
                       doctest::Contains("expected one file of the review a, found two"), FormatError);
}

TEST_CASE("files of reviews are known by their names") {
  CHECK(is_review_file("a.b.jsonl.gz"));
  CHECK(is_review_file("a.jsonl"));
  CHECK_FALSE(is_review_file(".jsonl.gz"));
  CHECK_FALSE(is_review_file("a.json"));
}

}  // namespace
}  // namespace inkling::bench
