#include "io/corpus/text/tokenizer.hpp"

#include <string>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "io/corpus/text/padded_text.hpp"
#include "tests/support/io/plain_text.hpp"

namespace inkling {
namespace {

using Tokens = std::vector<std::string>;

TEST_CASE("words are runs of letters and digits and underscores in lower case") {
  CHECK(test::tokens_of("The quick_brown fox, 42 times!") == Tokens{"the", "quick_brown", "fox", "42", "times"});
  CHECK(test::tokens_of("a I be") == Tokens{"be"});
  CHECK(test::tokens_of("don't e-mail") == Tokens{"don", "mail"});
  CHECK(test::tokens_of("").empty());
  CHECK(test::tokens_of(" ,.! ").empty());
}

TEST_CASE("words of other scripts are words and their marks are not") {
  CHECK(test::tokens_of("Größe ΟΔΟΣ Ёлка 東京都") == Tokens{"größe", "οδος", "ёлка", "東京都"});
  CHECK(test::tokens_of("é à") == Tokens{});                // one character each, though two bytes
  CHECK(test::tokens_of("İstanbul") == Tokens{"stanbul"});  // the lower case of İ is i and a dot
  CHECK(test::tokens_of("naïve—“quoted”") == Tokens{"naïve", "quoted"});
  CHECK(test::tokens_of("x²y ½cup Ⅷth") == Tokens{"x²y", "½cup", "ⅷth"});
  CHECK(test::tokens_of("\xF0\x9F\x98\x80 ok \xF0\x9D\x94\x98\xF0\x9D\x94\x99") ==
        Tokens{"ok", "\xF0\x9D\x94\x98\xF0\x9D\x94\x99"});
}

TEST_CASE("the final sigma looks at its neighbours and no further than the next space") {
  CHECK(test::tokens_of("ΣΑΣ ΣΑΣΑ ΑΣ.Α ΑΣ'Α") == Tokens{"σας", "σασα", "ασ", "ασ"});
}

TEST_CASE("a character newer than the known Unicode makes no word") {
  CHECK(test::tokens_of("ab\xF0\xB1\x8D\x90\xF0\xB1\x8D\x91") == Tokens{"ab"});  // U+31350, of Unicode 15
}

TEST_CASE("by the rule of letters only a to z count, tokens have any length, and letters may keep their case") {
  const TokenOptions letters = {.rule = TokenRule::letters, .min_length = 1};
  CHECK(test::tokens_of("A b2c d_e é", letters) == Tokens{"a", "b", "c", "d", "e"});
  CHECK(test::tokens_of("\xE2\x84\xAA"
                        "elvin",
                        letters) == Tokens{"kelvin"});  // the Kelvin sign becomes a k

  CHECK(test::tokens_of("Ab CD éÉ", {.letter_case = LetterCase::keep}) == Tokens{"Ab", "CD", "éÉ"});
}

// Text of pieces that cross every boundary: of blocks, of scripts, of tokens.
std::string random_text(RandomStream& random) {
  static const std::vector<std::string> pieces = {
      "a",    "Z", "0", "_", " ",       "\n", ",", "é", "Σ", "İ", "東", "'", "\xCC\x81", "\xF0\x9F\x98\x80", "\xF0\x9D\x94\x98",
      "Word", "ǅ", "ß", "K", "\xC2\xA0"};
  std::string text;
  const std::uint64_t length = random.below(200);
  for (std::uint64_t n = 0; n < length; ++n) text += pieces[random.below(random.coin(0.5) ? 7 : pieces.size())];
  return text;
}

TEST_CASE("tokens of any text with any options equal the plain twin's") {
  RandomStream random(11, 0, RandomRole::pool);
  for (int trial = 0; trial < 4000; ++trial) {
    const std::string text = random_text(random);
    const TokenOptions options = {
        random.coin(0.7) ? TokenRule::words : TokenRule::letters, static_cast<std::int32_t>(1 + random.below(3)),
        random.coin(0.8) ? LetterCase::lower : LetterCase::keep, static_cast<Accents>(random.coin(0.6) ? 0 : random.below(3))};
    CAPTURE(trial);
    CAPTURE(text);
    REQUIRE(test::tokens_of(text, options) == test::plain_tokens(text, options));
  }
}

TEST_CASE("tokens of long texts equal the plain twin's wherever they begin and end") {
  RandomStream random(13, 0, RandomRole::pool);
  for (int trial = 0; trial < 200; ++trial) {
    std::string text;
    const std::uint64_t pieces = random.below(40);
    for (std::uint64_t n = 0; n < pieces; ++n) {
      text += std::string(random.below(random.coin(0.1) ? 6000 : 300), random.coin(0.5) ? 'a' : ' ');
      if (random.coin(0.3)) text += random_text(random);
    }
    if (random.coin(0.5)) std::erase_if(text, [](char byte) { return (static_cast<unsigned char>(byte) & 0x80U) != 0; });
    const TokenOptions options = {.min_length = static_cast<std::int32_t>(1 + random.below(3))};
    CAPTURE(trial);
    REQUIRE(test::tokens_of(text, options) == test::plain_tokens(text, options));
  }
  const std::string no_space(10'000, 'a');
  CHECK(test::tokens_of(no_space) == Tokens{no_space});
  std::string every_other;
  for (int n = 0; n < 5'000; ++n) every_other += "a ";
  CHECK(test::tokens_of(every_other, {.min_length = 1}).size() == 5'000);
}

TEST_CASE("a tokenizer keeps nothing of the text before") {
  Tokenizer tokenizer({});
  RandomStream random(12, 0, RandomRole::pool);
  for (int trial = 0; trial < 500; ++trial) {
    const std::string text = random_text(random);
    const PaddedText padded(text);
    Tokens tokens;
    tokenizer.for_each(padded.view(), [&](std::string_view token) { tokens.emplace_back(token); });
    REQUIRE(tokens == test::plain_tokens(text, {}));
  }
}

std::string lower(std::string_view text) {
  std::string out;
  append_lower_case(out, text);
  return out;
}

TEST_CASE("letters and numbers of any script and the underscore are parts of words") {
  for (const char32_t character : {U'a', U'Z', U'0', U'_', U'é', U'ß', U'Ж', U'א', U'ا', U'क', U'東', U'あ', U'²', U'½', U'Ⅷ',
                                   U'ª', U'ʰ', char32_t{0x1D518}, char32_t{0x2F81A}}) {
    CAPTURE(static_cast<unsigned>(character));
    CHECK(is_word_character(character));
  }
  for (const char32_t character : {U' ', U'-', U'\'', U'.', U'’', U'€', U'\x301', U'\x903', U'\xAD', U'\x200D', U'￼',
                                   char32_t{0x1F600}, char32_t{0x31350}, char32_t{0x10FFFF}, char32_t{0x110000}}) {
    CAPTURE(static_cast<unsigned>(character));
    CHECK_FALSE(is_word_character(character));
  }
}

TEST_CASE("lower case follows the full mapping") {
  CHECK(lower("ABC äÖ ÀÉ") == "abc äö àé");
  CHECK(lower("İ") == "i\xCC\x87");
  CHECK(lower("ΑΣ") == "ας");
  CHECK(lower("ΣΑ") == "σα");
  CHECK(lower("\xE2\x84\xAA") == "k");
  CHECK(lower("ẞ") == "ß");
  CHECK(lower("ǅ") == "ǆ");
  CHECK(lower("").empty());
}

}  // namespace
}  // namespace inkling
