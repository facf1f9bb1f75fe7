#include "io/corpus/text/token_places.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "io/corpus/text/padded_text.hpp"
#include "tests/support/io/plain_text.hpp"
#include "tests/support/io/read_documents.hpp"
#include "tests/support/io/tests_path.hpp"

namespace inkling {
namespace {

using Places = std::vector<TokenPlace>;

std::vector<std::string> tokens_of_places(const Places& places) {
  std::vector<std::string> tokens;
  tokens.reserve(places.size());
  for (const TokenPlace& place : places) tokens.push_back(place.token);
  return tokens;
}

bool is_border(std::string_view text, std::size_t at) {
  return at == text.size() || (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
}

// Whether places ascend, do not overlap, and begin and end between characters.
bool are_sound(const Places& places, std::string_view text) {
  std::size_t end = 0;
  for (const TokenPlace& place : places) {
    if (place.begin < end || place.end <= place.begin || place.end > text.size()) return false;
    if (!is_border(text, place.begin) || !is_border(text, place.end)) return false;
    end = place.end;
  }
  return true;
}

// Whether some strings are left when others are taken away.
bool is_among(const std::vector<std::string>& some, const std::vector<std::string>& all) {
  auto next = some.begin();
  for (const std::string& one : all)
    if (next != some.end() && *next == one) ++next;
  return next == some.end() && some.empty() == all.empty();
}

void check_places(std::string_view text, const TokenOptions& options) {
  const Places places = locate_tokens(text, options);
  const std::vector<std::string> found = tokens_of_places(places);
  const std::vector<std::string> all = test::tokens_of(text, options);
  // A character that becomes several tokens without its accents has the place of one.
  const bool may_miss = options.accents != Accents::keep;
  REQUIRE((may_miss ? is_among(found, all) : found == all));
  REQUIRE(are_sound(places, text));
}

// The token with one form of the small sigma: which form a capital becomes depends on its neighbours.
std::string with_one_sigma(std::string token) {
  for (std::size_t at = token.find("ς"); at != std::string::npos; at = token.find("ς", at))
    token.replace(at, std::string_view("ς").size(), "σ");
  return token;
}

void check_pieces_alone(std::string_view text, const TokenOptions& options) {
  for (const TokenPlace& place : locate_tokens(text, options)) {
    const std::string_view piece = text.substr(place.begin, place.end - place.begin);
    const std::vector<std::string> alone = test::tokens_of(piece, options);
    if (options.accents != Accents::keep && alone.size() > 1) continue;  // one of its characters becomes several tokens
    REQUIRE(alone.size() == 1);
    if (alone[0] == place.token) continue;
    REQUIRE(piece.find("Σ") != std::string_view::npos);
    REQUIRE(with_one_sigma(alone[0]) == with_one_sigma(place.token));
  }
}

std::string utf8_of(char32_t character) {
  const auto byte = [](std::uint32_t value) { return static_cast<char>(value); };
  const auto rest = [&](unsigned shift) { return byte(0x80U | ((character >> shift) & 0x3FU)); };
  if (character < 0x80) return {byte(character)};
  if (character < 0x800) return {byte(0xC0U | (character >> 6U)), rest(0)};
  if (character < 0x10000) return {byte(0xE0U | (character >> 12U)), rest(6), rest(0)};
  return {byte(0xF0U | (character >> 18U)), rest(12), rest(6), rest(0)};
}

// A random character of any plane, including unassigned ones.
std::string random_character(RandomStream& random) {
  constexpr char32_t surrogates = 0xD800;
  constexpr char32_t after_surrogates = 0xE000;
  static constexpr std::array<char32_t, 8> ends = {0x80, 0x250, 0x600, 0x3000, 0xD800, 0x10000, 0x20000, 0x110000};
  const auto character = static_cast<char32_t>(random.below(ends[random.below(ends.size())]));
  return utf8_of(character >= surrogates && character < after_surrogates ? U'\xFFFD' : character);
}

// Special cases of lower case, words and UTF-8, separated by bars.
constexpr std::string_view kOddPieces =
    "a|Zz|_9|'|-|.|\n|Σ|ΣΑΣ|ας|ʰ|İ|ı|I|ß|ẞ|\xEF\xAC\x81|ﬀ|ǅ|Ǆ|K|\xE2\x84\xAA|Å|Ⱥ|é|e\xCC\x81|\xCC\x87|\xC2\xAD|"
    "\xE2\x80\x8D|\xC2\xA0|東京|ｗｉｄｅ|ѢѣЁ|שלום|مرحبا|हिन्दी|𝔘𝔫|𐐀|😀|½|Ⅷ|\xEF\xBF\xBD| ";

std::vector<std::string_view> odd_pieces() {
  std::vector<std::string_view> pieces = {std::string_view("\0", 1)};
  for (std::string_view left = kOddPieces; !left.empty();) {
    const std::size_t bar = std::min(left.find('|'), left.size());
    pieces.push_back(left.substr(0, bar));
    left.remove_prefix(std::min(bar + 1, left.size()));
  }
  return pieces;
}

std::string random_unicode(RandomStream& random) {
  static const std::vector<std::string_view> pieces = odd_pieces();
  std::string text;
  const bool is_wild = random.coin(0.5);
  for (std::uint64_t left = random.below(40); left > 0; --left) {
    const bool is_odd = random.coin(is_wild ? 0.4 : 0.9);
    if (is_odd)
      text += pieces[random.below(pieces.size())];
    else
      text += random_character(random);
  }
  return text;
}

TokenOptions random_token_options(RandomStream& random) {
  return {random.coin(0.7) ? TokenRule::words : TokenRule::letters, static_cast<std::int32_t>(1 + random.below(3)),
          random.coin(0.8) ? LetterCase::lower : LetterCase::keep, static_cast<Accents>(random.coin(0.6) ? 0 : random.below(3))};
}

void check_random_texts(int count, std::uint64_t seed) {
  RandomStream random(seed, 0, RandomRole::pool);
  for (int trial = 0; trial < count; ++trial) {
    const std::string text = random_unicode(random);
    const TokenOptions options = random_token_options(random);
    CAPTURE(trial);
    CAPTURE(text);
    check_places(text, options);
    check_pieces_alone(text, options);
  }
}

TEST_CASE("the place of a token is that of its letters in the original text") {
  CHECK(locate_tokens("The red-\nFox", {}) == Places{{0, 3, "the"}, {4, 7, "red"}, {9, 12, "fox"}});
  CHECK(locate_tokens("a I be", {}) == Places{{4, 6, "be"}});
  CHECK(locate_tokens("", {}).empty());
  CHECK(locate_tokens("Ünö", {.letter_case = LetterCase::keep}) == Places{{0, 5, "Ünö"}});
  CHECK(locate_tokens("e\u0301te\u0301 \uFB01n", {.accents = Accents::unicode}) == Places{{0, 5, "ete"}, {8, 12, "fin"}});
  CHECK(locate_tokens("ab3cd", {.rule = TokenRule::letters}) == Places{{0, 2, "ab"}, {3, 5, "cd"}});
}

TEST_CASE("places count bytes of the original text even if the lower case has more or fewer") {
  CHECK(locate_tokens("xAİb cd", {}) ==
        Places{{0, 4, "xai"}, {6, 8, "cd"}});  // the lower case of İ is i and a dot, which ends the word
  CHECK(locate_tokens("İİ", {.min_length = 1}) == Places{{0, 2, "i"}, {2, 4, "i"}});
  CHECK(locate_tokens("\xE2\x84\xAA"
                      "elvin x2",
                      {}) == Places{{0, 8, "kelvin"}, {9, 11, "x2"}});
  CHECK(locate_tokens("ẞet Ⱥb", {}) == Places{{0, 5, "ßet"}, {6, 9, "ⱥb"}});
}

TEST_CASE("the form of a small sigma depends on its place in the whole text") {
  CHECK(locate_tokens("ΣΑΣ ΑΣ'Α", {}) == Places{{0, 6, "σας"}, {7, 11, "ασ"}});
  CHECK(test::tokens_of("ΑΣ", {}) == std::vector<std::string>{"ας"});  // so a piece alone may differ
}

TEST_CASE("tokens with places are those of the tokenizer for 20,000 random texts") { check_random_texts(20'000, 41); }

TEST_CASE("tokens with places are those of the tokenizer for a million random texts" * doctest::test_suite("slow")) {
  check_random_texts(1'000'000, 42);
}

TEST_CASE("tokens with places are those of the tokenizer for every character alone and within a word") {
  std::string alone;
  std::string within;
  for (char32_t character = 0; character < 0x33000; ++character) {  // there are no letters beyond
    if (character == 0xD800) character = 0xE000;
    alone += " " + utf8_of(character);
    within += " ab" + utf8_of(character) + "CD";
    if (character % 1024 != 1023) continue;
    CAPTURE(alone);
    check_places(alone, {.min_length = 1});
    check_places(within, {});
    alone.clear();
    within.clear();
  }
}

TEST_CASE("tokens with places are those of the tokenizer for the texts that come with the program") {
  const std::string path = test::tests_path("../datasets/tiny/documents.jsonl");
  const std::vector<std::string> texts = test::read_documents({path}, {.format = "jsonl"}).texts();
  REQUIRE(!texts.empty());
  for (const std::string& text : texts) {
    CAPTURE(text);
    for (const TokenRule rule : {TokenRule::words, TokenRule::letters}) {
      check_places(text, {.rule = rule});
      check_pieces_alone(text, {.rule = rule});
    }
  }
}

}  // namespace
}  // namespace inkling
