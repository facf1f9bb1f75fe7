// Words of scripts that are written without blanks.
#include "io/corpus/text/word_breaks.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "io/corpus/text/padded_text.hpp"
#include "io/corpus/text/token_places.hpp"
#include "tests/support/io/plain_text.hpp"
#include "tests/support/io/read_documents.hpp"
#include "tests/support/io/tests_path.hpp"

namespace inkling {
namespace {

using Words = std::vector<std::string>;

Words cut_by_places(std::string_view text, const TokenOptions& options) {
  Words tokens;
  for (TokenPlace& place : locate_tokens(text, options)) tokens.push_back(std::move(place.token));
  return tokens;
}

constexpr TokenOptions kDictionary = {.rule = TokenRule::dictionary, .min_length = 1};

struct Sentence {
  std::string text;
  Words words;  // some of them, on which all dictionaries agree
};
const Sentence kSentences[] = {
    {"山中的金矿于1893年开采，第一年出产了两千盎司黄金。", {"1893", "开采", "盎司", "黄金"}},
    {"山の金鉱は1893年に開かれ、最初の年に二千オンスの金を産出した。", {"1893", "最初", "オンス", "金"}},
    {"เหมืองทองคำในภูเขาเปิดในปี 1893", {"เหมือง", "ทองคำ", "ภูเขา", "1893"}},
    {"我们用Gold Mine搜索ABC公司", {"我们", "gold", "mine", "搜索", "abc", "公司"}},
};

TEST_CASE("Chinese and Japanese and Thai sentences become their words and nothing of them is lost") {
  for (const auto& [text, words] : kSentences) {
    CAPTURE(text);
    const Words tokens = test::tokens_of(text, kDictionary);
    for (const std::string& word : words) {
      CAPTURE(word);
      CHECK(std::ranges::count(tokens, word) >= 1);
    }
    std::string joined;
    for (const std::string& token : tokens) joined += token;
    std::string whole;  // runs of letters and of marks, which the plain rule does not count as letters
    append_lower_case(whole, text);
    for (const std::string_view other : {"，", "。", "、", " "})
      for (std::size_t at = whole.find(other); at != std::string::npos; at = whole.find(other)) whole.erase(at, other.size());
    CHECK(joined == whole);
    CHECK(cut_by_places(text, kDictionary) == tokens);
  }
  CHECK(word_breaks("no such script: été, Ωμέγα, الذهب, 한국어").empty());
}

TEST_CASE("texts of other scripts have the same tokens with and without a dictionary") {
  const std::string path = test::tests_path("../datasets/tiny/documents.jsonl");
  Words texts = test::read_documents({path}, {.format = "jsonl"}).texts();
  texts.emplace_back("ΟΔΟΣ Straße İstanbul الذهب في الجبال 한국어 x_1");
  for (const std::string& text : texts)
    for (const int least : {1, 2})
      CHECK(test::tokens_of(text, {.rule = TokenRule::dictionary, .min_length = least}) ==
            test::tokens_of(text, {.min_length = least}));
}

TEST_CASE("the tokenizer and the places of tokens cut random texts of mixed scripts alike") {
  RandomStream random(1, 0, RandomRole::pool);
  const Words pieces = {"山", "金", "矿", "の", "オ", "ー", "ท", "อ", "ง", "ค",  "ำ", "เ", "ื",       "่",       "ແ",
                        "ម",  "ាស", "a",  "Z",  "Σ",  "İ",  "1", "_", " ", "，", ".", "é", "\u200B", "\u0301", "𠀀"};
  for (int trial = 0; trial < 2000; ++trial) {
    std::string text;
    for (std::uint64_t n = random.below(30); n > 0; --n) text += pieces[random.below(pieces.size())];
    const TokenOptions options = {TokenRule::dictionary, static_cast<std::int32_t>(1 + random.below(3)),
                                  random.coin(0.8) ? LetterCase::lower : LetterCase::keep};
    CAPTURE(text);
    REQUIRE(cut_by_places(text, options) == test::tokens_of(text, options));
    const std::vector<std::size_t> breaks = word_breaks(text);
    CHECK(std::ranges::is_sorted(breaks));
    for (const std::size_t at : breaks) CHECK((at == text.size() || (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U));
  }
}

}  // namespace
}  // namespace inkling
