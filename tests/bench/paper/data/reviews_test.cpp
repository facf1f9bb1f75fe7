#include "bench/paper/data/reviews.hpp"

#include <stdexcept>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/bench/paper/data/small_archives.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::bench {
namespace {

std::vector<ReviewAnnotation> annotations_in(std::string_view text, const JsonLineLimits& limits = {}) {
  MemoryStream stream(text);
  return read_annotations(stream, "train.jsonl", limits);
}

constexpr std::string_view kGood =
    R"({"annotation_id": "negR_000.txt", "query": "x", "classification": "NEG", "evidences": [)"
    R"([{"docid": "negR_000.txt", "start_token": 3, "end_token": 5, "text": "pretty redundant"}], [],)"
    R"( [{"docid": "negR_000.txt", "text": "a"}, {"docid": "negR_000.txt", "text": "caf\u00e9"}]], "docids": null})";

TEST_CASE("an annotation is the judgement of a review with all phrases of all groups") {
  const std::vector<ReviewAnnotation> found = annotations_in(
      std::string(kGood) + "\r\n\n  \n" + R"({"annotation_id":"posR_1.txt","classification":"POS","evidences":[]})");
  REQUIRE(found.size() == 2);
  CHECK(found[0] == ReviewAnnotation{"negR_000.txt", Judgement::negative, {"pretty redundant", "a", "caf\xC3\xA9"}});
  CHECK(found[1] == ReviewAnnotation{"posR_1.txt", Judgement::positive, {}});
  CHECK(annotations_in("").empty());
  CHECK(annotations_in("\xEF\xBB\xBF" + std::string(kGood)).size() == 1);
}

struct BadLine {
  std::string line, expectation;
};

TEST_CASE("lines that are no annotation are refused with their place") {
  const auto with = [](const std::string& evidences) {
    return R"({"annotation_id":"a","classification":"NEG","evidences":)" + evidences + "}";
  };
  const std::vector<BadLine> table = {
      {"[1]", "expected a JSON object, found an array"},
      {"{\"a\":1", "expected one JSON object, found: "},
      {"{}", "expected a string in the field \"annotation_id\", found none"},
      {R"({"annotation_id":3})", "expected a string in the field \"annotation_id\", found a number"},
      {R"({"annotation_id":"a"})", "expected a string in the field \"classification\", found none"},
      {R"({"annotation_id":"a","classification":"GOOD"})", "expected NEG or POS in the field \"classification\", found \"GOOD\""},
      {R"({"annotation_id":"a","classification":"NEG"})", "expected an array in the field \"evidences\", found none"},
      {with("{}"), "expected an array in the field \"evidences\", found an object"},
      {with("[3]"), "expected evidences in arrays, found a number"},
      {with("[[null]]"), "expected evidences that are objects, found null"},
      {with("[[{}]]"), "expected a string in the field \"docid\", found none"},
      {with(R"([[{"docid":"b","text":"t"}]])"), "expected evidence from the annotated review \"a\", found evidence from \"b\""},
      {with(R"([[{"docid":"a"}]])"), "expected a string in the field \"text\", found none"},
      {with(R"([[{"docid":"a","text":["t"]}]])"), "expected a string in the field \"text\", found an array"},
      {with(std::string(400, '[') + std::string(400, ']')), "expected JSON at most 256 levels deep, found deeper"},
      {"{\"annotation_id\":\"\xFF\"}", "expected one JSON object, found: "},
  };
  for (const BadLine& row : table) {
    CAPTURE(row.line);
    try {
      static_cast<void>(annotations_in(std::string(kGood) + "\n\n" + row.line + "\n"));
      FAIL("no error");
    } catch (const FormatError& error) {
      CHECK(error.where().starts_with("train.jsonl:3:"));
      CHECK(error.expectation().starts_with(row.expectation));
    }
  }
}

TEST_CASE("lines and files that are too long are refused with the limit") {
  CHECK_THROWS_WITH_AS(static_cast<void>(annotations_in("\n" + std::string(kGood), {.most_line_bytes = 100})),
                       doctest::Contains("train.jsonl:2:"), FormatError);
  CHECK_THROWS_WITH_AS(static_cast<void>(annotations_in(kGood, {.most_bytes = 100})),
                       "train.jsonl: expected at most 100 bytes, found more", FormatError);
}

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

TEST_CASE("a stream is read to its end or the limit and tells whether it is longer") {
  for (const std::size_t size : {0U, 1U, 16383U, 16384U, 16385U, 50000U}) {
    CAPTURE(size);
    const std::string text(size, 'x');
    for (const std::size_t most : {size, size + 1, std::size_t{1} << 40U}) {
      MemoryStream stream(text);
      CHECK(whole_stream(stream, most) == text);
    }
    if (size == 0) continue;
    MemoryStream stream(text);
    CHECK(whole_stream(stream, size - 1).size() > size - 1);
  }
}

}  // namespace
}  // namespace inkling::bench
