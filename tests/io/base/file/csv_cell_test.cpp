#include "io/base/file/csv_cell.hpp"

#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/engine/cases.hpp"

namespace inkling {
namespace {

TEST_CASE("what a program could run gets an apostrophe, and only that") {
  const std::vector<std::pair<std::string, std::string>> cells = {
      {"", ""},
      {"soil", "soil"},
      {"-5", "-5"},
      {"-0.25", "-0.25"},
      {"-1e-07", "-1e-07"},
      {"'tis", "'tis"},
      {"a=b", "a=b"},
      {"=1+1", "'=1+1"},
      {"+49 30", "'+49 30"},
      {"@SUM(A1)", "'@SUM(A1)"},
      {"-", "'-"},
      {"- a point", "'- a point"},
      {"-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"},
      {"-2+3+HYPERLINK(\"http://evil\")", "\"'-2+3+HYPERLINK(\"\"http://evil\"\")\""},
      {"-5-", "'-5-"},
      {"-1e", "'-1e"},
      {"foo;=cmd|' /C calc'!A0", "\"foo;'=cmd|' /C calc'!A0\""},
      {"foo;-5", "\"foo;'-5\""},
      {"foo\t=1", "\"foo\t'=1\""},
      {"a\n=1\r\n+2", "\"a\n'=1\r\n'+2\""},
      {"\t=1", "\"\t'=1\""},
      {" =1", "' =1"},
      {"\"=1\"", "\"'\"\"=1\"\"\""},
      {"\xEF\xBC\x9D"
       "1",
       "'\xEF\xBC\x9D"
       "1"},
      {"\xC2\xA0\xE3\x80\x80=1", "'\xC2\xA0\xE3\x80\x80=1"},
      {"\xEF\xBB\xBF\xE2\x80\x8B=1", "'\xEF\xBB\xBF\xE2\x80\x8B=1"},
      {"\xE2\x88\x92"
       "1",
       "'\xE2\x88\x92"
       "1"},
      {"\xE2\x80\x9Cquoted\xE2\x80\x9D", "\xE2\x80\x9Cquoted\xE2\x80\x9D"},
      {"'=1", "''=1"},
      {"''=1", "'''=1"},
      {"'-5", "'-5"},
      {"a; b", "\"a; b\""},
      {"a,b", "\"a,b\""},
      {" a", "\" a\""},
  };
  for (const auto& [text, cell] : cells) {
    CAPTURE(text);
    CHECK(csv_cell(text) == cell);
    CHECK(unguarded_text(guarded_text(text)) == text);
  }
}

TEST_CASE("every text comes back, and nothing that was not written by us is taken off") {
  const std::vector<std::string> pieces = {"'", "'",  "=", "+", "-", "@", ";", "\t",   "\r",       "\n",
                                           " ", "\"", ",", "5", ".", "e", "x", "\xC2", "\xC2\xA0", "\xEF\xBC\x9D"};
  std::mt19937_64 random(7);
  for (int round = 0; round < test::cases(200'000); ++round) {
    std::string text;
    for (auto left = random() % 9; left > 0; --left) text += pieces[random() % pieces.size()];
    CAPTURE(text);
    REQUIRE(unguarded_text(guarded_text(text)) == text);
    const std::string other = unguarded_text(text);  // of a file that others wrote
    REQUIRE((other == text || guarded_text(other) == text));
  }
}

}  // namespace
}  // namespace inkling
