#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "io/corpus/source/json_record.hpp"
#include "io/corpus/source/record_format.hpp"
#include "tests/support/io/read_documents.hpp"

namespace inkling {
namespace {

using test::documents_in;
using test::ReadDocument;
using test::ReadDocuments;

SourceOptions jsonl() { return {.format = "jsonl", .keep_fields = false}; }

const std::string kListHint = "\"jq -c '.[]'\" writes each object of a list on a line";

TEST_CASE("fields of objects become text and id and label") {
  struct Case {
    std::string line;
    ReadDocument document;
  };
  const std::vector<Case> cases = {
      {R"({"text":"a"})", {"a"}},
      {R"({"id":"x","text":"a","label":"l"})", {"a", "x", "l"}},
      {R"({"text":"","id":12,"label":true})", {"", "12", "true"}},
      {R"({"text":"a","id":-1,"label":false})", {"a", "-1", "false"}},
      {R"({"text":"a","id":18446744073709551615,"label":0.5})", {"a", "18446744073709551615", "0.5"}},
      {R"({"text":"a","id":null,"label":""})", {"a", "", ""}},
      {R"({"text":"first","text":"second"})", {"first"}},
      {R"({"text":"a","text":7})", {"a"}},
      {R"({"t\u0065xt":"\u00e9\n\ud83d\ude00\"\\"})", {"é\n😀\"\\"}},
      {R"({"text":"\u0000"})", {std::string(1, '\0')}},
      {R"(  { "text" : "a" , "other" : [1,{"text":"no"}] }  )", {"a"}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.line);
    CHECK(documents_in(one.line, jsonl()).documents == std::vector<ReadDocument>{one.document});
    CHECK(documents_in(one.line + "\r\n", jsonl()).documents == std::vector<ReadDocument>{one.document});
  }
}

TEST_CASE("blank lines are not records, but are counted as lines") {
  const ReadDocuments read = documents_in("\n{\"text\":\"a\"}\n \t\n\r\n{\"text\":\"b\"}\n[]\n", jsonl());
  CHECK(read.texts() == std::vector<std::string>{"a", "b"});
  CHECK(read.problem == "in:6:1: expected a JSON object, found an array; " + kListHint);
}

TEST_CASE("a line that is not a record is refused with the reason") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{}", "expected the field \"text\" (--text-field names another), found none"},
      {R"({"Text":"a"})", R"(expected the field "text" (--text-field names another), found "Text")"},
      {R"({"n":1,"in":{"text":"a"}})", R"(expected the field "text" (--text-field names another), found "n", "in", "in.text")"},
      {R"({"text":7})", "expected a string in the field \"text\", found a number"},
      {R"({"text":null})", "expected a string in the field \"text\", found null"},
      {R"({"text":"a","id":[]})", "expected a string, a number or a boolean in the field \"id\", found an array"},
      {R"({"text":"a","label":{}})", "expected a string, a number or a boolean in the field \"label\", found an object"},
      {"[1]", "expected a JSON object, found an array; " + kListHint},
      {"\"text\"", "expected a JSON object, found a string"},
      {"null", "expected a JSON object, found null"},
      {"17", "expected a JSON object, found a number"},
  };
  for (const auto& [line, expectation] : cases) {
    CAPTURE(line);
    CHECK(documents_in(line, jsonl()).problem == "in:1:1: " + expectation);
  }
}

TEST_CASE("text that is not JSON is refused at the first wrong byte") {
  const std::vector<std::pair<std::string, int>> lines = {{"{", 2},
                                                          {"}", 1},
                                                          {R"({"text":"a"} {})", 14},
                                                          {R"({"text":"a"},)", 13},
                                                          {R"({"text":"a)", 9},
                                                          {R"({"text":"ab\x"})", 12},
                                                          {R"({text:"a"})", 2},
                                                          {R"({"text":"a",})", 13},
                                                          {R"({"text":"a","b"})", 16},
                                                          {R"({"text":"a","b":[1,]})", 20},
                                                          {R"({"text":NaN})", 9},
                                                          {R"({"text":"a","n":01})", 18},
                                                          {R"({"text":"a","n":1.})", 19},
                                                          {R"({"text":"a","n":-})", 18},
                                                          {R"({"text":"é\ud800"})", 12},
                                                          {"{'text':'a'}", 2},
                                                          {"\xEF\xBB\xBF{", 1},
                                                          {"text", 1},
                                                          {"{\"text\":\"a\tb\"}", 11},
                                                          {R"({"text":"a" "b":1})", 13}};
  for (const auto& [line, column] : lines) {
    CAPTURE(line);
    const bool is_mark = line.starts_with("\xEF");
    const std::string text = "{\"text\":\"good\"}\n" + line;
    CHECK(documents_in(text, jsonl())
              .problem.starts_with("in:2:" + std::to_string(column) + ": expected one JSON object, found: "));
    CHECK_FALSE((is_mark && documents_in(line, jsonl()).problem.empty()));
    SourceOptions options = jsonl();
    options.reading.skip_bad = true;
    CHECK(documents_in(text, options).skipped == 1);
  }
}

TEST_CASE("a number that is too large is an error only in a field that is read") {
  for (const std::string number :
       {"18446744073709551616", "-9223372036854775809", "1e999", "-1E+400", "123456789012345678901234567890"}) {
    CAPTURE(number);
    std::string ignored = R"({"n":)" + number;
    ignored.append(R"(,"text":"a","deep":[{"m":)").append(number).append("}]}");
    CHECK(documents_in(ignored, jsonl()).documents == std::vector<ReadDocument>{{"a"}});
    CHECK(documents_in(R"({"id":)" + number + R"(,"text":"a"})", jsonl()).problem ==
          R"(in:1:1: expected a string, a number or a boolean in the field "id", found a number that is too large)");
    CHECK(documents_in(R"({"text":)" + number + "}", jsonl()).problem ==
          R"(in:1:1: expected a string in the field "text", found a number that is too large)");
    CHECK(documents_in(number, jsonl()).problem == "in:1:1: expected a JSON object, found a number that is too large");
  }
  CHECK(documents_in(R"({"text":"a","n":1e-999})", jsonl()).texts() == std::vector<std::string>{"a"});
}

TEST_CASE("deep JSON is refused by the limit and does not overflow the stack") {
  const auto nested = [](std::size_t depth) {
    return R"({"text":"a","deep":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  CHECK(documents_in(nested(ReadingBudget::kMostLevels - 2), jsonl()).problem.empty());
  for (const std::size_t depth : {ReadingBudget::kMostLevels, std::size_t{100000}})
    CHECK(documents_in(nested(depth), jsonl()).problem == "in:1:1: expected JSON at most 256 levels deep, found deeper");
}

TEST_CASE("other fields and only some labels are read on request") {
  SourceOptions options = jsonl();
  options.text_field = "body";
  options.id_field = "n";
  options.label_field = "topic";
  options.labels = {"x", "3"};
  const ReadDocuments read = documents_in(
      "{\"body\":\"a\",\"n\":1,\"topic\":\"x\"}\n{\"body\":\"b\",\"topic\":\"y\"}\n{\"body\":\"c\"}\n"
      "{\"body\":\"d\",\"topic\":3}\n",
      options);
  CHECK(read.documents == std::vector<ReadDocument>{{"a", "1", "x"}, {"d", "", "3"}});
}

TEST_CASE("an object over several lines is refused with a command that makes it one line") {
  const ReadDocuments read = documents_in("{\n  \"text\": \"a\"\n}\n", jsonl());
  CHECK(read.problem.starts_with("in:1:"));
  CHECK(read.problem.ends_with("\"jq -c .\" writes each object on a line"));
}

TEST_CASE("fields of objects within objects are named with points, unless a field has that very name") {
  SourceOptions options = jsonl();
  options.text_field = "body.text";
  options.id_field = "meta.n";
  options.label_field = "meta.in.topic";
  CHECK(documents_in(R"({"body":{"text":"a"},"meta":{"n":7,"in":{"topic":"x"}}})", options).documents ==
        std::vector<ReadDocument>{{"a", "7", "x"}});
  CHECK(documents_in(R"({"body":{"text":"a"},"body.text":"b","meta":{"n":7,"in.topic":"y"}})", options).documents ==
        std::vector<ReadDocument>{{"b", "7", "y"}});
  CHECK(documents_in(R"({"body":{"text":7}})", options).problem ==
        "in:1:1: expected a string in the field \"body.text\", found a number");
  CHECK(documents_in(R"({"body":"a"})", options).problem ==
        R"(in:1:1: expected the field "body.text" (--text-field names another), found "body")");
}

TEST_CASE("several fields make a text of several lines without absent or null ones") {
  SourceOptions options = jsonl();
  options.text_field = "title,body.text";
  const ReadDocuments read = documents_in(
      "{\"title\":\"a\",\"body\":{\"text\":\"b\"}}\n{\"body\":{\"text\":\"c\"},\"title\":null}\n{\"title\":"
      "\"d\"}\n"
      "{\"title,body.text\":\"e\"}\n{\"title\":null}\n",
      options);
  CHECK(read.texts() == std::vector<std::string>{"a\nb", "c", "d", "e", ""});
  std::vector<std::size_t> titles;
  for (const test::ReadDocument& document : read.documents) titles.push_back(document.title_bytes);
  CHECK(titles == std::vector<std::size_t>{1, 0, 1, 0, 0});
  CHECK(documents_in(R"({"other":"a"})", options).problem ==
        R"(in:1:1: expected the field "title,body.text" (--text-field names another), found "other")");
  CHECK(documents_in(R"({"title":[]})", options).problem == "in:1:1: expected a string in the field \"title\", found an array");
}

TEST_CASE("without a text an object's title and abstract are the text under the names that programs use") {
  const std::string records = R"({"id":"1","abstract":"b","Title":"a","year":2019})"
                              "\n"
                              R"({"Title":"c","DOI":"10.1/a"})"
                              "\n"
                              R"({"Abstract Note":"d","title":null})"
                              "\n"
                              R"({"title":"e","text":"f"})"
                              "\n"
                              R"({"Titre":"g","abstract":"h"})";
  const ReadDocuments read = documents_in(records, {.format = "jsonl"});
  CHECK(read.problem == "");
  CHECK(read.texts() == std::vector<std::string>{"a\nb", "c", "d", "f", "g\nh"});
  std::vector<std::string> fields;
  std::vector<std::size_t> titles;
  for (const test::ReadDocument& document : read.documents) {
    fields.push_back(document.fields);
    titles.push_back(document.title_bytes);
  }
  const std::vector<std::string> wanted = {R"({"Title":"a","year":2019})", R"({"Title":"c","DOI":"10.1/a"})", R"({"title":null})",
                                           R"({"title":"e"})", R"({"Titre":"g"})"};
  for (std::size_t n = 0; n < wanted.size(); ++n) CHECK(fields[n] == wanted[n]);
  CHECK(titles == std::vector<std::size_t>{1, 1, 0, 0, 1});
}

TEST_CASE("the first label of a list counts or the first wanted one") {
  SourceOptions options = jsonl();
  options.seen = std::make_shared<SeenNames>(0);
  const std::string lists =
      "{\"text\":\"a\",\"label\":[\"x\",\"y\"]}\n{\"text\":\"b\",\"label\":[]}\n{\"text\":\"c\",\"label\":[3]"
      "}\n"
      "{\"text\":\"d\",\"label\":\"y\"}\n";
  CHECK(documents_in(lists, options).documents ==
        std::vector<ReadDocument>{{"a", "", "x"}, {"b"}, {"c", "", "3"}, {"d", "", "y"}});
  CHECK(options.seen->label_lists() == 3);
  options.labels = {"y"};
  options.seen = std::make_shared<SeenNames>(1);
  CHECK(documents_in(lists, options).documents == std::vector<ReadDocument>{{"a", "", "y"}, {"d", "", "y"}});
  CHECK(options.seen->has_label(0));
  CHECK(documents_in(R"({"text":"a","label":[{}]})", jsonl()).problem ==
        "in:1:1: expected a string, a number or a boolean in the field \"label\", found an object");
}

TEST_CASE("the fields that were asked for and found in any record are reported") {
  SourceOptions options = jsonl();
  options.seen = std::make_shared<SeenNames>(0);
  options.label_field = "topic";
  CHECK(documents_in("{\"text\":\"a\",\"tropic\":\"x\"}\n{\"text\":\"b\",\"id\":1}\n", options).problem.empty());
  CHECK(options.seen->has_field("text"));
  CHECK(options.seen->has_field("id"));
  CHECK_FALSE(options.seen->has_field("topic"));
  CHECK(options.seen->field_names() == std::vector<std::string>{"text", "tropic"});
}

TEST_CASE("the text and the id of an object may be the same field") {
  SourceOptions options = jsonl();
  options.id_field = "text";
  CHECK(documents_in(R"({"text":"a"})", options).documents == std::vector<ReadDocument>{{"a", "a"}});
}

SourceOptions kept() { return {.format = "jsonl"}; }

using Fields = std::vector<std::string>;
Fields fields_in(const std::string& lines, const SourceOptions& options) {
  Fields fields;
  for (const ReadDocument& document : documents_in(lines, options).documents) fields.push_back(document.fields);
  return fields;
}

TEST_CASE("members other than text and id and label are kept as fields as they are written") {
  CHECK(fields_in(R"({"text":"a","id":1,"label":"x"})", kept()) == Fields{""});
  CHECK(fields_in(R"({"year":1.50,"text":"a","n" : [1, {"b":null}],"big":123456789012345678901234567890})", kept()) ==
        Fields{R"({"year":1.50,"n":[1, {"b":null}],"big":123456789012345678901234567890})"});
  CHECK(fields_in(R"({"text":"a","t\u0065st":"\u00e9","test":2})", kept()) == Fields{R"({"test":["\u00e9",2]})"});
  CHECK(fields_in(R"({"text":"a","label":["x","y"]})", kept()) == Fields{R"({"label":["x","y"]})"});
  CHECK(fields_in(R"({"text":"a","year":1})", jsonl()) == Fields{""});
  SourceOptions options = kept();
  options.text_field = "in.text";
  options.id_field = "in.n.id";
  CHECK(fields_in(R"({"in":{"text":"a","n":{"id":7,"m":8},"year":1},"out":{"text":"b"}})", options) ==
        Fields{R"({"in.n.m":8,"in.year":1,"out":{"text":"b"}})"});
}

TEST_CASE("a title that is part of the text is a field too") {
  SourceOptions options = kept();
  options.text_field = "head,body";
  const Fields read = fields_in(
      "{\"head\":\"A "
      "\\\"b\\\"\",\"body\":\"c\",\"year\":1}\n{\"head\":\"d\",\"body\":\"e\"}\n{\"body\":\"f\"}\n"
      "{\"head\":\"g\",\"title\":\"other\"}\n",
      options);
  CHECK(read == Fields{R"({"title":"A \"b\"","year":1})", R"({"title":"d"})", "", R"({"title":"other"})"});
}

}  // namespace
}  // namespace inkling
