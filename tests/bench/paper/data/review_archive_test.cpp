#include <stdexcept>

#include <doctest/doctest.h>

#include "bench/paper/data/reviews.hpp"
#include "engine/core/errors.hpp"
#include "tests/bench/paper/data/small_archives.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::bench {
namespace {

std::vector<Review> reviews_in(const std::string& path, const ReviewLimits& limits = {}) {
  return read_reviews(
      path, [] {}, limits);
}

TEST_CASE_FIXTURE(inkling::test::InFolder, "reviews with an annotation are read by name from archive and folder alike") {
  const std::string archive = folder.file("movies.tar.gz");
  inkling::test::write_archive(archive, "tar", "gzip", test::small_reviews());
  test::write_folder(folder.file("unpacked"), test::small_reviews());
  for (const std::string& path : {archive, folder.file("unpacked"), folder.file("unpacked/movies")}) {
    CAPTURE(path);
    const std::vector<Review> reviews = reviews_in(path);
    REQUIRE(reviews.size() == 8);
    CHECK(reviews.front().annotation.review == "negR_1.txt");
    CHECK(reviews.front().text == "a bad film");
    CHECK(reviews.back().annotation.review == "posR_4.txt");
    // Annotated in both files: that of train.jsonl counts.
    CHECK(reviews[4].annotation == ReviewAnnotation{"posR_1.txt", Judgement::positive, {"great"}});
    CHECK(reviews[6].text == "the story is great \xEF\xBF\xBD");
  }
}

TEST_CASE_FIXTURE(inkling::test::InFolder, "an annotation without its review and an archive without any are refused") {
  test::write_folder(folder.file("lacks"), {{"train.jsonl", test::annotation("a.txt", "NEG", "x")}});
  CHECK_THROWS_WITH_AS(static_cast<void>(reviews_in(folder.file("lacks"))),
                       doctest::Contains("expected the review docs/a.txt that an annotation is about, found none"), FormatError);
  test::write_folder(folder.file("empty"), {{"docs/a.txt", "a"}, {"val.jsonl", "x"}, {"README", "x"}});
  CHECK_THROWS_WITH_AS(static_cast<void>(reviews_in(folder.file("empty"))), doctest::Contains("found none"), FormatError);
  CHECK_THROWS_AS(static_cast<void>(reviews_in(folder.file("missing"))), SystemError);
}

TEST_CASE_FIXTURE(inkling::test::InFolder, "a bad line is named with file and line") {
  const std::string archive = folder.file("movies.zip");
  inkling::test::write_archive(archive, "zip", "none", {{"m/docs/a.txt", "a"}, {"m/test.jsonl", "\n{}\n"}});
  CHECK_THROWS_WITH_AS(static_cast<void>(reviews_in(archive)), doctest::Contains("m/test.jsonl:2:1: expected"), FormatError);
}

TEST_CASE_FIXTURE(inkling::test::InFolder, "reviews that are too long one by one or together are refused with the limit") {
  test::write_folder(folder.file("m"), test::small_reviews());
  CHECK_THROWS_WITH_AS(static_cast<void>(reviews_in(folder.file("m"), {.most_review_bytes = 12})),
                       doctest::Contains("expected a review of at most 12 bytes, found more"), FormatError);
  CHECK_THROWS_WITH_AS(static_cast<void>(reviews_in(folder.file("m"), {.most_bytes = 300})),
                       doctest::Contains("expected at most 300 bytes of reviews, found more"), FormatError);
}

TEST_CASE_FIXTURE(inkling::test::InFolder, "reading ends where it is interrupted") {
  test::write_folder(folder.file("m"), test::small_reviews());
  CHECK_THROWS_WITH(static_cast<void>(read_reviews(folder.file("m"), [] { throw std::runtime_error("stop"); })), "stop");
}

}  // namespace
}  // namespace inkling::bench
