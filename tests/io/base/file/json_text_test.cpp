#include "io/base/file/json_text.hpp"

#include <vector>

#include <doctest/doctest.h>

#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

TEST_CASE("JSON has no fault however large its numbers are") {
  for (const std::string_view text :
       {R"({})", R"([])", R"( {"a":[1,{"b":null}],"c":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"} )", "true", "-0.5e+3",
        "18446744073709551616", "1e999", "1e-999", "0", "\"\"", R"({"a":{"a":{}},"b":[[],[[]]]})"}) {
    CAPTURE(text);
    CHECK_FALSE(json_fault(text));
  }
}

TEST_CASE("the first place that breaks JSON is found") {
  struct Case {
    std::string text;
    std::size_t position;
    std::string expectation;
  };
  const std::vector<Case> cases = {
      {R"({"a":NaN})", 5, "found \"NaN\""},
      {R"({"a":[1,Infinity]})", 8, "found \"Infinity\""},
      {R"({"a":+1})", 5, "found \"+1\""},
      {R"({"a":01})", 5, "found \"01\""},
      {R"({"a":1.})", 5, "found \"1.\""},
      {R"({"a":1e})", 5, "found \"1e\""},
      {R"({a:1})", 1, "expected the name of a member in double quotes, found \"a\""},
      {R"({"a":1,})", 7, "expected the name of a member in double quotes, found \"}\""},
      {R"({"a" 1})", 5, "expected a colon after the name of a member, found \"1\""},
      {R"({"a":1 "b":2})", 7, "expected a comma or }, found \"\"\""},
      {R"([1 2])", 3, "expected a comma or ], found \"2\""},
      {R"([1})", 2, "expected a comma or ], found \"}\""},
      {R"([1,])", 3, "found \"]\""},
      {R"({"a":1)", 6, "expected a comma or }, found the end of the line"},
      {R"({"a":"x)", 5, "a double quote at the end"},
      {R"({"a":"x\)", 7, "after a backslash"},
      {R"({"a":"\x"})", 6, "after a backslash"},
      {R"({"a":"\u12g4"})", 6, "after a backslash"},
      {R"({"a":"\ud83d"})", 6, "after a backslash"},
      {R"({"a":"\ude00"})", 6, "after a backslash"},
      {"{\"a\":\"x\ty\"}", 7, "expected \\u0009 in a string"},
      {R"({} {})", 3, "expected nothing after the end of the JSON, found \"{\""},
      {"", 0, "found the end of the line"},
      {"'a'", 0, "found \"'a'\""},
      {std::string(300, '['), 256, "at most 256 levels deep"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.text);
    const auto fault = json_fault(one.text);
    REQUIRE(fault.has_value());
    CHECK(fault->position == one.position);
    CAPTURE(fault->expectation);
    CHECK(fault->expectation.find(one.expectation) != std::string::npos);
  }
}

TEST_CASE("strings are the characters that they mean, and the kind of a value is known by its first character") {
  CHECK(string_of_json(R"("caf\u00e9 \ud83d\ude00 \"\\\/\b\f\n\r\t\u0000x")") == std::string("café 😀 \"\\/\b\f\n\r\t\0x", 21));
  CHECK(string_of_json(R"("")").empty());

  CHECK(kind_text(json_kind("{}")) == "an object");
  CHECK(kind_text(json_kind("[]")) == "an array");
  CHECK(kind_text(json_kind("\"\"")) == "a string");
  CHECK(kind_text(json_kind("-1")) == "a number");
  CHECK(kind_text(json_kind("false")) == "a boolean");
  CHECK(kind_text(json_kind("null")) == "null");
}

// The plain twin: the grammar of RFC 8259, rule by rule.
class PlainJson {
 public:
  explicit PlainJson(const std::string& text) : text_(text) {}

  bool is_json() { return value() && at_ == text_.size(); }

 private:
  bool take(const std::string& wanted) {
    const bool found = text_.compare(at_, wanted.size(), wanted) == 0;
    if (found) at_ += wanted.size();
    return found;
  }
  void space() {
    while (take(" ")) {
    }
  }
  bool digits() {
    const std::size_t before = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    return at_ > before;
  }
  bool number() {
    take("-");
    if (!take("0") && !digits()) return false;
    if (take(".") && !digits()) return false;
    if (!take("e") && !take("E")) return true;
    if (!take("+")) take("-");
    return digits();
  }
  bool string() {
    if (!take("\"")) return false;
    while (!take("\"")) {
      if (take("\\\"") || take("\\u00e9")) continue;  // the random texts have no other valid escapes
      if (at_ >= text_.size() || text_[at_] == '\\') return false;
      ++at_;
    }
    return true;
  }
  bool members(const std::string& end, bool named) {
    space();
    if (take(end)) return true;
    do {
      space();
      if (named && !string()) return false;
      space();
      if (named && !take(":")) return false;
      if (!value()) return false;
    } while (take(","));
    return take(end);
  }
  bool value() {
    space();
    const bool good = take("{")   ? members("}", true)
                      : take("[") ? members("]", false)
                                  : take("true") || take("false") || take("null") || string() || number();
    space();
    return good;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

TEST_CASE("texts of random pieces are JSON exactly where the plain grammar says so") {
  RandomStream random = test::stream_for(21);
  const std::vector<std::string> pieces = {"{",     "}",  "[",       "]",     ",",         ":",     "\"a\"",   "\"\\u00e9\"",
                                           "1",     "-0", "0.5",     "2",     "true",      "null",  " ",       "\"\\",
                                           "\"b\"", "01", "\"\\q\"", "false", "{\"a\":1}", "[1,2]", ",\"c\":", "tru"};
  int good = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (std::uint64_t left = random.below(7) + 1; left > 0; --left) text += pieces[random.below(pieces.size())];
    CAPTURE(text);
    const auto fault = json_fault(text);
    REQUIRE(fault.has_value() != PlainJson(text).is_json());
    if (fault) REQUIRE(fault->position <= text.size());
    good += fault ? 0 : 1;
  }
  CHECK(good > 100);
}

}  // namespace
}  // namespace inkling
