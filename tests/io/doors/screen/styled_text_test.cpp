#include "io/doors/screen/styled_text.hpp"

#include <doctest/doctest.h>

#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using Lines = std::vector<std::string>;

Lines wrapped(const std::string& text, std::size_t columns) {
  Lines lines;
  for (const StyledLine& line : wrapped_lines(text, columns)) lines.push_back(plain_text(line));
  return lines;
}

TEST_CASE("lines are cut between words and within a word that is too long") {
  CHECK(wrapped("one two three", 7) == Lines{"one two", "three"});
  CHECK(wrapped("one two three", 6) == Lines{"one", "two", "three"});
  CHECK(wrapped("abcdefgh ij", 3) == Lines{"abc", "def", "gh", "ij"});
  CHECK(wrapped("  in front", 8) == Lines{"  in", "front"});
  CHECK(wrapped("at the end   ", 10) == Lines{"at the end"});
  CHECK(wrapped("a\n\nb\r\nc\n", 9) == Lines{"a", "", "b", "c"});
  CHECK(wrapped("a\tb", 9) == Lines{"a    b"});
  CHECK(wrapped("", 9).empty());
  CHECK(wrapped("\n", 9) == Lines{""});
}

TEST_CASE("wide characters take two columns and accents none, and no character of a text acts on a terminal") {
  CHECK(columns_of("abc") == 3);
  CHECK(columns_of("日本") == 4);
  CHECK(columns_of("e\xCC\x81") == 1);
  CHECK(wrapped("日本語", 4) == Lines{"日本", "語"});
  CHECK(plain_text(cut_line({{"日本語"}}, 5)) == "日本");
  CHECK(plain_text(cut_line({{"ab"}, {"cd", Look::quiet}}, 3)) == "abc");

  CHECK(wrapped("a\x1b[31mb\rc", 40) == Lines{"a\\x1B[31mb\\x0Dc"});
  CHECK(wrapped("\xC2\x9B\xE2\x80\xAE\xFF", 40) == Lines{"\\u{009B}\\u{202E}\\xFF"});
}

TEST_CASE("cut pieces keep their looks, which are colours, or shapes without colours, or nothing") {
  const std::vector<StyledPiece> text = {{"good "}, {"soil", Look::speaks_for}, {", rose\nred", Look::plain}};
  const std::vector<StyledLine> lines = wrapped_lines(text, 7);
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == StyledLine{{"good"}});
  CHECK(lines[1] == StyledLine{{"soil", Look::speaks_for}, {","}});
  CHECK(lines[2] == StyledLine{{"rose"}});

  const StyledLine line = {{"a "}, {"b", Look::speaks_for}, {"c", Look::marked_against}};
  CHECK(rendered(line, Styling::colours) == "a \x1b[4;32mb\x1b[0m\x1b[1;3;31mc\x1b[0m");
  CHECK(rendered(line, Styling::shapes) == "a \x1b[4mb\x1b[0m\x1b[1;3mc\x1b[0m");
  CHECK(rendered(line, Styling::none) == "a bc");
}

// The lines have all characters except spaces and line ends, in order, and no line is too long.
TEST_CASE("no letter is lost and no line too long, for any text and width") {
  RandomStream random = test::stream_for(20'001);
  const std::vector<std::string> letters = {"a", "b", " ", " ", "\n", "日", "é", "e\xCC\x81", "\t", "-"};
  for (int n = 0; n < 3'000; ++n) {
    std::string text;
    const std::int32_t length = test::between(0, 40, random);
    for (std::int32_t at = 0; at < length; ++at)
      text += letters[static_cast<std::size_t>(test::between(0, static_cast<std::int32_t>(letters.size()) - 1, random))];
    const auto columns = static_cast<std::size_t>(test::between(2, 12, random));
    std::string joined;
    for (const std::string& line : wrapped(text, columns)) {
      REQUIRE(columns_of(line) <= columns);
      joined += line;
    }
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '\t'; });
    std::erase(joined, ' ');
    REQUIRE(joined == text);
  }
}

}  // namespace
}  // namespace inkling
