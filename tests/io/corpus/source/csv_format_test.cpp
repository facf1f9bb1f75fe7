#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "io/corpus/source/record_format.hpp"
#include "tests/support/read_documents.hpp"

namespace inkling {
namespace {

using test::documents_in;
using test::ReadDocument;
using test::ReadDocuments;

using Documents = std::vector<ReadDocument>;
using Texts = std::vector<std::string>;

SourceOptions csv() { return {.format = "csv"}; }
SourceOptions tsv() { return {.format = "tsv"}; }

TEST_CASE("columns are found by the names of the header") {
  CHECK(documents_in("id,text,label\n1,a,x\n2,b,\n", csv()).documents ==
        Documents{{"a", "1", "x"}, {"b", "2", ""}});
  CHECK(documents_in("label,other,text\r\nx,,a\r\n", csv()).documents == Documents{{"a", "", "x"}});
  CHECK(documents_in("\xEF\xBB\xBF\"text\",\"id\"\na,1", csv()).documents == Documents{{"a", "1"}});
  CHECK(documents_in("id\ttext\n1\ta\n", tsv()).documents == Documents{{"a", "1"}});
  CHECK(documents_in("text,text\na,b\n", csv()).texts() == Texts{"a"});
}

TEST_CASE("quotes hold commas and lines and quotes in CSV") {
  CHECK(documents_in("text,id\n\"a,b\",1\n", csv()).documents == Documents{{"a,b", "1"}});
  CHECK(documents_in("text,id\n\"a\nb\r\nc\",1\n", csv()).documents == Documents{{"a\nb\r\nc", "1"}});
  CHECK(documents_in("text,id\n\"say \"\"hi\"\"\",\"\"\"\"\n", csv()).documents ==
        Documents{{"say \"hi\"", "\""}});
  CHECK(documents_in("text,id\n\"\",\"\"\r\n", csv()).documents == Documents{{"", ""}});
  CHECK(documents_in("text\n\"a\n\"", csv()).texts() == Texts{"a\n"});
}

TEST_CASE("quotes mean nothing in TSV") {
  CHECK(documents_in("text\tid\n\"a\t\"1\"\"\n5\" nail\tx\n", tsv()).documents ==
        Documents{{"\"a", "\"1\"\""}, {"5\" nail", "x"}});
}

TEST_CASE("a blank line is not a record unless records have one field") {
  CHECK(documents_in("text,id\n\na,1\n\r\nb,2\n\n", csv()).texts() == Texts{"a", "b"});
  CHECK(documents_in("text\n\na\n\r\nb\n", csv()).texts() == Texts{"", "a", "", "b"});
}

TEST_CASE("a number instead of a name is a column of files without a header") {
  SourceOptions options = tsv();
  options.text_field = "2";
  CHECK(documents_in("7\tfirst\n8\tsecond\n", options).documents == Documents{{"first"}, {"second"}});
  options.id_field = "1";
  CHECK(documents_in("7\tfirst\n8\tsecond\n", options).documents ==
        Documents{{"first", "7"}, {"second", "8"}});
  CHECK(documents_in("", options) == ReadDocuments{});
  CHECK(documents_in("alone\n", options).problem == "in:1:1: expected at least 2 fields, found 1");
}

TEST_CASE("a line that is not a record is refused with its place") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"text,id\na,1\nb\n", "in:3:1: expected 2 fields, found 1"},
      {"text,id\na,1,2\n", "in:2:1: expected 2 fields, found 3"},
      {"text,id\na\"b,1\n", "in:2:2: expected quotes only around a whole field, found one within"},
      {"text,id\nc,a\"b\"\n", "in:2:4: expected quotes only around a whole field, found one within"},
      {"text,id\n\"a\"b,1\n", "in:2:4: expected a comma after the closing quote, found more text"},
      {"text,id\n\"a\nb\"c,1\n", "in:3:3: expected a comma after the closing quote, found more text"},
      {"text,id\nx,1\n\"a,1\nb,2\n", "in:3:1: expected a closing quote for this one, found none"},
      {"body,id\na,1\n",
       R"(in:1:1: expected a header line with the field "text", found "body,id"; --text-field names another)"},
      {"", R"(in:1:1: expected a header line with the field "text", found ""; --text-field names another)"},
      {"id;text\n1;a\n",
       "in:1:1: expected a header line with the field \"text\", found \"id;text\"; --format csv "
       "--delimiter semicolon would find it"},
      {"te\"xt\n", "in:1:3: expected quotes only around a whole field, found one within"},
  };
  for (const auto& [text, problem] : cases) {
    CAPTURE(text);
    for (const std::uint64_t chunk : {1U, 6U, 1000U}) {
      SourceOptions options = csv();
      options.reading.chunk_bytes = chunk;
      CHECK(documents_in(text, options).problem == problem);
    }
  }
}

TEST_CASE("other marks than commas may stand between fields") {
  SourceOptions options = csv();
  options.delimiter = ';';
  CHECK(documents_in("text;id\n\"a;b\";1\nc,d;2\n", options).documents ==
        Documents{{"a;b", "1"}, {"c,d", "2"}});
  CHECK(documents_in("text;id\n\"a\"b;1\n", options).problem ==
        "in:2:4: expected ';' after the closing quote, found more text");
  options.delimiter = '\t';
  CHECK(documents_in("text\tid\n\"a\tb\nc\"\t1\n", options).documents == Documents{{"a\tb\nc", "1"}});
  CHECK(documents_in("text\tid\n\"a\"b\t1\n", options).problem ==
        "in:2:4: expected a tab after the closing quote, found more text");
}

TEST_CASE("TSV that was written with quotes is refused with how to read it") {
  CHECK(documents_in("text\tid\n\"a\tb\"\t1\n", tsv()).problem ==
        "in:2:1: expected 2 fields, found 3; --format csv --delimiter tab reads fields in quotes");
}

TEST_CASE("several columns make a text of several lines") {
  SourceOptions options = csv();
  options.text_field = "title,body";
  CHECK(documents_in("body,id,title\n\"b \"\"q\"\"\",1,a\n,2,c\n", options).documents ==
        Documents{{.text = "a\nb \"q\"", .id = "1", .title_bytes = 1},
                  {.text = "c\n", .id = "2", .title_bytes = 1}});
  CHECK(documents_in("\"title,body\",title,body\na,b,c\n", options).texts() == Texts{"a"});
  CHECK(
      documents_in("title,id\na,1\n", options).problem ==
      R"(in:1:1: expected a header line with the field "body", found "title,id"; --text-field names another)");
  options.text_field = "1,3";
  CHECK(documents_in("a,b,c\n", options).texts() == Texts{"a\nc"});
}

TEST_CASE("it is told which of the columns that were asked for there are") {
  SourceOptions options = csv();
  options.seen = std::make_shared<SeenNames>(0);
  CHECK(documents_in("text,lable\na,x\n", options).problem.empty());
  CHECK(options.seen->has_field("text"));
  CHECK_FALSE(options.seen->has_field("label"));
  CHECK(options.seen->field_names() == Texts{"lable", "text"});
}

TEST_CASE("bad records are left out on request and those around them are not") {
  SourceOptions options = csv();
  options.reading.skip_bad = true;
  const ReadDocuments read = documents_in("text,id\na,1\nb\nc,3\nd\"\"e,4\nf,5\n", options);
  CHECK(read.texts() == Texts{"a", "c", "f"});
  CHECK(read.skipped == 2);
}

TEST_CASE("each file has its own header") {
  const test::ReadDocuments first = documents_in("text,id\na,1\n", csv());
  const test::ReadDocuments second = documents_in("id,text\n2,b\n", csv());
  CHECK(first.documents == Documents{{"a", "1"}});
  CHECK(second.documents == Documents{{"b", "2"}});
}

TEST_CASE("a bad byte is told by its column in the record") {
  SourceOptions options = csv();
  options.bad_bytes = BadBytes::refuse;
  CHECK(documents_in("id,text\n1,\"a\nb\xFF\"\n", options).problem ==
        "in:3:2: expected UTF-8, found the byte 0xFF");
  CHECK(documents_in("id,other,text\n1,\xFF,a\n", options).texts() == Texts{"a"});
}

}  // namespace
}  // namespace inkling
