#include "io/corpus/fields/record_head.hpp"

#include <doctest/doctest.h>

namespace inkling {
namespace {

using Links = std::vector<std::string>;

TEST_CASE("the head of a document is found by the roles of its fields") {
  const RecordHead head = record_head(
      R"({"TI":"Gold\n  mines","AU":["Ada, B.","Bob, C."],"n":7,"PY":"x","Publication Year":"2001 Mar 4","DO":"1","DOI":"10.1000/x","Link":"https://a.b/c"})");
  CHECK(head.title == "Gold mines");
  CHECK(head.authors == "Ada, B.; Bob, C.");
  CHECK(head.year == "2001");
  CHECK(head.links == Links{"https://doi.org/10.1000/x", "https://a.b/c"});
  CHECK(record_head(R"({"source.title":"t","authors":[{"name":"Ada"},{"x":1},null]})").title == "t");
  CHECK(record_head(R"({"authors":[{"name":"Ada"},"Bob"]})").authors == "Ada; Bob");
  const RecordHead about = record_head(
      R"({"journal":"J. of\n X","keywords":["gold","mine","gold"],"MH":"Humans; *Mice; ","PT":["Review","J"],"OT":"ore"})");
  CHECK(about.journal == "J. of X");
  CHECK(about.keywords == Links{"gold", "mine", "Humans", "*Mice", "ore"});
  CHECK(about.kinds == Links{"Review", "J"});
  CHECK(record_head("").empty());
  CHECK(record_head(R"({"colour":"red"})").empty());
}

TEST_CASE("a text that is no JSON object has no fields") {
  for (const char* const text : {"", "null", "[1]", "{", R"({"a":})", "7", "\xFF"}) CHECK(kept_fields(text).empty());
}

TEST_CASE("values are shown as people read them") {
  const std::vector<KeptField> fields =
      kept_fields(R"({"a":"x\u0022","b":1.50,"c":null,"d":["x",2,[3],null],"e":{"f":1},"g":true,"h":[]})");
  std::vector<std::string> texts;
  for (const KeptField& field : fields) texts.push_back(field.text());
  CHECK(texts == std::vector<std::string>{"x\"", "1.50", "", "x; 2; [3]; ", R"({"f":1})", "true", ""});
}

TEST_CASE("a DOI in any spelling becomes a link and nothing else does") {
  for (const char* const text : {"10.1000/x", " 10.1000/x\n", "doi:10.1000/x", "DOI: 10.1000/x", "https://doi.org/10.1000/x",
                                 "http://dx.doi.org/10.1000/x"})
    CHECK(address_of_doi(text) == "https://doi.org/10.1000/x");
  CHECK(address_of_doi("10.1002/(SICI)1<693::A>3.0;2#?\"") == "https://doi.org/10.1002/(SICI)1%3C693::A%3E3.0;2%23%3F%22");
  for (const char* const text : {"", "10.1000", "x10.1/y", "https://evil.org/10.1/x", "javascript:alert(1)", "10.1/a b"})
    CHECK(address_of_doi(text).empty());
}

TEST_CASE("an address other than http and https is no link") {
  for (const char* const text : {"javascript:alert(1)", "data:text/html,x", "//a.b",
                                 "https://a.b/\\\"onclick=", "https://a.b/<script>", "file:///etc/passwd", "https:/a", " "})
    CHECK(record_head(R"({"url":")" + std::string(text) + R"("})").links.empty());
  CHECK(record_head(R"({"url":"http://a.b/c;HTTPS://d.e\nhttp://a.b/c javascript:x"})").links ==
        Links{"http://a.b/c", "HTTPS://d.e"});
  CHECK(record_head(R"({"url":["http://1.a","http://2.a","http://3.a","http://4.a","http://5.a","http://6.a"]})").links.size() ==
        5);
}

}  // namespace
}  // namespace inkling
