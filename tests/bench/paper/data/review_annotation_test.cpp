#include <doctest/doctest.h>

#include "bench/paper/data/reviews.hpp"
#include "engine/core/errors.hpp"

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
  std::string line;
  std::string expectation;
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

}  // namespace
}  // namespace inkling::bench
