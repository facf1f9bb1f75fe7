#include "io/base/file/utf8.hpp"

#include <string>

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("Well-formed characters have one to four bytes") {
  CHECK(utf8_character_length("a") == 1);
  CHECK(utf8_character_length("\xC3\xA9") == 2);
  CHECK(utf8_character_length("\xE2\x82\xAC") == 3);
  CHECK(utf8_character_length("\xF0\x9F\x98\x80") == 4);
  CHECK(utf8_character_length("\xF4\x8F\xBF\xBF") == 4);
}

TEST_CASE("stray, cut, overlong, surrogate and too large sequences are not characters") {
  for (const std::string_view text :
       {"", "\x80", "\xC3", "\xC3(", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80", "\xE2\x82", "\xF0\x80\x80\x80",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xF0\x9F\x98"}) {
    CHECK(utf8_character_length(text) == 0);
  }
}

TEST_CASE("characters are counted and cut whole, and those that would act on a terminal are shown instead") {
  CHECK(utf8_count("h\xC3\xA9\xFFllo") == 6);
  CHECK(utf8_shortened("h\xC3\xA9llo", 5) == "h\xC3\xA9llo");
  CHECK(utf8_shortened("h\xC3\xA9llo", 3) == "h\xC3\xA9…");
  CHECK(utf8_shortened("hello", 1) == "…");

  CHECK(visible_text("h\xC3\xA9llo, \xE4\xB8\x96") == "h\xC3\xA9llo, \xE4\xB8\x96");
  CHECK(visible_text("a\x1B[31mb\x07\n\t\x7F") == "a\\x1B[31mb\\x07\\x0A\\x09\\x7F");
  CHECK(visible_text("\xC2\x9B"
                     "31m") == "\\u{009B}31m");
  CHECK(visible_text("a\xE2\x80\xAE"
                     "b\xE2\x81\xA6"
                     "c") == "a\\u{202E}b\\u{2066}c");
  CHECK(visible_text("\xFFz\xC3") == "\\xFFz\\xC3");
  CHECK(visible_text("") == "");
  CHECK(quoted_text("a\nb") == "\"a\\x0Ab\"");
}

TEST_CASE("text in messages is shortened and quoted and cannot act on a terminal") {
  CHECK(quoted_text("") == "\"\"");
  CHECK(quoted_text("Köln") == "\"Köln\"");
  CHECK(quoted_text("a\x1B[31mb\n") == "\"a\\x1B[31mb\\x0A\"");
  CHECK(quoted_text("\xFF\x7F") == "\"\\xFF\\x7F\"");
  CHECK(quoted_text(std::string(42, 'x')) == "\"" + std::string(40, 'x') + "…\"");
  CHECK(quoted_text(std::string(40, 'x')) == "\"" + std::string(40, 'x') + "\"");
}

}  // namespace
}  // namespace inkling
