#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "io/corpus/source/record_format.hpp"
#include "tests/support/io/read_documents.hpp"

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
  CHECK(documents_in("id,text,label\n1,a,x\n2,b,\n", csv()).documents == Documents{{"a", "1", "x"}, {"b", "2", ""}});
  CHECK(documents_in("label,other,text\r\nx,,a\r\n", csv()).documents == Documents{{"a", "", "x"}});
  CHECK(documents_in("Text,ID,Label\na,1,x\n", csv()).documents == Documents{{"a", "1", "x"}});
  CHECK(documents_in("\xEF\xBB\xBF\"text\",\"id\"\na,1", csv()).documents == Documents{{"a", "1"}});
  CHECK(documents_in("id\ttext\n1\ta\n", tsv()).documents == Documents{{"a", "1"}});
  CHECK(documents_in("text,text\na,b\n", csv()).texts() == Texts{"a"});
}

TEST_CASE("quotes hold commas and lines and quotes in CSV") {
  CHECK(documents_in("text,id\n\"a,b\",1\n", csv()).documents == Documents{{"a,b", "1"}});
  CHECK(documents_in("text,id\n\"a\nb\r\nc\",1\n", csv()).documents == Documents{{"a\nb\r\nc", "1"}});
  CHECK(documents_in("text,id\n\"say \"\"hi\"\"\",\"\"\"\"\n", csv()).documents == Documents{{"say \"hi\"", "\""}});
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
  CHECK(documents_in("7\tfirst\n8\tsecond\n", options).documents ==
        Documents{{.text = "first", .fields = R"({"1":"7"})"}, {.text = "second", .fields = R"({"1":"8"})"}});
  options.id_field = "1";
  CHECK(documents_in("7\tfirst\n8\tsecond\n", options).documents == Documents{{"first", "7"}, {"second", "8"}});
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
       R"(in:1:1: expected a header line with the field "text", found "body", "id"; --text-field names another)"},
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

TEST_CASE("fields may be separated by other characters than commas") {
  SourceOptions options = csv();
  options.delimiter = ';';
  CHECK(documents_in("text;id\n\"a;b\";1\nc,d;2\n", options).documents == Documents{{"a;b", "1"}, {"c,d", "2"}});
  CHECK(documents_in("text;id\n\"a\"b;1\n", options).problem == "in:2:4: expected ';' after the closing quote, found more text");
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
        Documents{{.text = "a\nb \"q\"", .id = "1", .title_bytes = 1, .fields = R"({"title":"a"})"},
                  {.text = "c\n", .id = "2", .title_bytes = 1, .fields = R"({"title":"c"})"}});
  CHECK(documents_in("\"title,body\",title,body\na,b,c\n", options).texts() == Texts{"a"});
  CHECK(documents_in("Title,Body\na,b\n", options).texts() == Texts{"a\nb"});
  CHECK(documents_in("title,id\na,1\n", options).problem ==
        R"(in:1:1: expected a header line with the field "body", found "title", "id"; --text-field names another)");
  options.text_field = "1,3";
  CHECK(documents_in("a,b,c\n", options).texts() == Texts{"a\nc"});
}

// Each case is the header of an export, and its columns for title, abstract and id.
TEST_CASE("title, abstract and id are found by the names that known programs give them") {
  const std::vector<std::pair<std::string, std::string>> exports = {
      {"PubMed",
       "=PMID,+Title,Authors,Citation,First Author,Journal/Book,Publication Year,Create Date,PMCID,NIHMS "
       "ID,DOI"},
      {"Scopus",
       "\xEF\xBB\xBF"
       "Authors,Author full names,Author(s) ID,+Title,Year,Source title,Volume,Cited by,DOI,Link,*Abstract,"
       "Author Keywords,Document Type,=EID"},
      {"Web of Science",
       "Publication Type,Authors,Author Full Names,+Article Title,Source Title,Author "
       "Keywords,*Abstract,Publication Year,"
       "DOI,=UT (Unique WOS ID)"},
      {"bibliometrix", "AU,+TI,DE,ID,*AB,=UT,SR"},
      {"Embase", "+Title,Author Names,*Abstract,Publication Year,Source,DOI,Full Text Link,=PUI"},
      {"Zotero",
       "=Key,Item Type,Publication Year,Author,+Title,Publication Title,ISBN,DOI,Url,*Abstract "
       "Note,Date,Manual Tags"},
      {"ASReview", "=record_id,+title,*abstract,authors,keywords,included"},
      {"Rayyan", "=key,+title,year,month,day,journal,authors,url,*abstract,notes,doi"},
      {"a person", "Résumé,x"},
  };
  for (const auto& [program, marked] : exports) {
    CAPTURE(program);
    std::string header;
    std::string row;
    std::string text;
    std::string id;
    int column = 0;
    for (std::string name : fields_listed_in(marked)) {
      const std::string value = "v" + std::to_string(column++);
      const std::size_t mark = name.find_first_of("=+*");
      const char role = mark == std::string::npos ? ' ' : name[mark];
      if (mark != std::string::npos) name.erase(mark, 1);
      if (role == '+') text = value;
      if (role == '*' || name == "Résumé") text += (text.empty() ? "" : "\n") + value;
      if (role == '=') id = value;
      header += (header.empty() ? "" : ",") + name;
      row += (row.empty() ? "" : ",") + value;
    }
    const ReadDocuments read = documents_in(header + "\n" + row + "\n", csv());
    CHECK(read.problem == "");
    REQUIRE(read.documents.size() == 1);
    CHECK(read.documents[0].text == text);
    CHECK(read.documents[0].id == id);
  }
}

TEST_CASE("every column that is neither text nor id nor label is kept and so is a title in the text") {
  CHECK(documents_in("Title,Abstract,Year,PMID,label,Year\na,b,1999,7,l,\"2,\"\"0\"\"\"\n", csv()).documents ==
        Documents{{"a\nb", "7", "l", 1, R"({"Title":"a","Year":["1999","2,\"0\""]})"}});
  CHECK(documents_in("Title,Year\na,1\nb,\n", csv()).documents ==
        Documents{{.text = "a", .fields = R"({"Title":"a","Year":"1"})"}, {.text = "b", .fields = R"({"Title":"b"})"}});
  CHECK(documents_in("text,Title,PMID\na,b,1\n", csv()).documents ==
        Documents{{.text = "a", .id = "1", .fields = R"({"Title":"b"})"}});
  SourceOptions options = csv();
  options.encoding = TextEncoding::latin1;
  CHECK(documents_in("text,\"caf\xE9\"\"\"\na,\xE9\n", options).documents ==
        Documents{{.text = "a", .fields = R"({"café\"":"é"})"}});
}

TEST_CASE("apostrophes of our exports are taken off in every column, and those of others are not") {
  const std::string rows = "a,'=id,'@l,\"x;'=1\",'=v\n";
  CHECK(documents_in("text,id,label,note,'=n,rating\n'" + rows.substr(0, rows.size() - 1) + ",1\n", csv()).documents ==
        Documents{{.text = "'a", .id = "=id", .label = "@l", .fields = R"({"note":"x;=1","=n":"=v","rating":"1"})"}});
  CHECK(documents_in("text,id,label,note,'=n\n'" + rows, csv()).documents ==
        Documents{{.text = "'a", .id = "'=id", .label = "'@l", .fields = R"({"note":"x;'=1","'=n":"'=v"})"}});
}

TEST_CASE("the error about a missing column names the nearest one and all that there are") {
  SourceOptions options = csv();
  options.text_field = "abstrakt";
  CHECK(documents_in("Title of the article,a column with a very long name,Abstract,abstract_\n1,2,3,4\n", options).problem ==
        "in:1:1: expected a header line with the field \"abstrakt\" (did you mean Abstract?), found "
        "\"Title of the article\", \"a column with a very long name\", \"Abstract\", \"abstract_\"; "
        "--text-field "
        "names another");
}

TEST_CASE("the columns that were asked for and found are reported") {
  SourceOptions options = csv();
  options.seen = std::make_shared<SeenNames>(0);
  CHECK(documents_in("text,lable\na,x\n", options).problem.empty());
  CHECK(options.seen->has_field("text"));
  CHECK_FALSE(options.seen->has_field("label"));
  CHECK(options.seen->field_names() == Texts{"lable", "text"});
}

TEST_CASE("bad records are left out on request and their neighbours are kept") {
  SourceOptions options = csv();
  options.reading.skip_bad = true;
  const ReadDocuments read = documents_in("text,id\na,1\n\"b\"x,2\nc,3\nd,e,4\nf,5\n", options);
  CHECK(read.texts() == Texts{"a", "c", "f"});
  CHECK(read.skipped == 2);
}

TEST_CASE("each file has its own header") {
  const test::ReadDocuments first = documents_in("text,id\na,1\n", csv());
  const test::ReadDocuments second = documents_in("id,text\n2,b\n", csv());
  CHECK(first.documents == Documents{{"a", "1"}});
  CHECK(second.documents == Documents{{"b", "2"}});
}

TEST_CASE("a bad byte is reported with its column in the record") {
  SourceOptions options = csv();
  options.bad_bytes = BadBytes::refuse;
  CHECK(documents_in("id,text\n1,\"a\nb\xFF\"\n", options).problem == "in:3:2: expected UTF-8, found the byte 0xFF");
  CHECK(documents_in("id,other,text\n1,\xFF,a\n", options).problem == "in:2:3: expected UTF-8, found the byte 0xFF");
  CHECK(documents_in("id,\"a \xFF\",text\n1,x,a\n", options).problem == "in:1:7: expected UTF-8, found the byte 0xFF");
  options.bad_bytes = BadBytes::replace;
  CHECK(documents_in("id,\"a \xFF\",text\n1,\xFF,a\n", options).bad_bytes == 2);
}

}  // namespace
}  // namespace inkling
