#include "bench/worlds/word_list.hpp"

#include <algorithm>
#include <cctype>
#include <unordered_set>

#include <doctest/doctest.h>

#include "io/base/file/utf8.hpp"

namespace inkling::bench {
namespace {

bool is_ascii(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_small_letters(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
}

double mean_length(const WordList& words, std::int32_t from, std::int32_t to) {
  double sum = 0.0;
  for (std::int32_t rank = from; rank < to; ++rank) sum += static_cast<double>(words.word(rank).size());
  return sum / (to - from);
}

TEST_CASE("words differ and are small letters and frequent ones are shorter") {
  const WordList words(70'000);
  REQUIRE(words.size() == 70'000);
  std::unordered_set<std::string_view> seen;
  for (std::int32_t rank = 0; rank < words.size(); ++rank) {
    REQUIRE(is_small_letters(words.word(rank)));
    REQUIRE(seen.insert(words.word(rank)).second);
  }
  CHECK(words.word(0) == "the");
  CHECK(mean_length(words, 0, 64) < mean_length(words, 64, 500));
  CHECK(mean_length(words, 64, 500) < mean_length(words, 500, 5'000));
  CHECK(mean_length(words, 500, 5'000) < mean_length(words, 50'000, 70'000));
}

TEST_CASE("the word of a rank is the same in lists of every length") {
  const WordList few(100, 0.3);
  const WordList many(5'000, 0.3);
  for (std::int32_t rank = 0; rank < few.size(); ++rank) CHECK(few.word(rank) == many.word(rank));
}

TEST_CASE("a share of the words has letters beyond ASCII and all of them differ") {
  const WordList words(40'000, 0.25);
  std::unordered_set<std::string_view> seen;
  int beyond = 0;
  for (std::int32_t rank = 0; rank < words.size(); ++rank) {
    const std::string_view word = words.word(rank);
    REQUIRE(seen.insert(word).second);
    REQUIRE(utf8_count(word) >= 1);
    beyond += is_ascii(word) ? 0 : 1;
  }
  CHECK(beyond == (40'000 - 64) / 4);
  for (std::int32_t rank = 0; rank < WordList::function_words; ++rank) CHECK(is_ascii(words.word(rank)));
}

TEST_CASE("a list of Unicode words only is well-formed UTF-8") {
  const WordList words(20'000, 1.0);
  for (std::int32_t rank = WordList::function_words; rank < words.size(); ++rank) {
    for (std::string_view form : {words.word(rank), words.capitalised(rank)}) {
      REQUIRE_FALSE(is_ascii(form));
      while (!form.empty()) {
        const std::size_t length = utf8_character_length(form);
        REQUIRE(length > 0);
        form.remove_prefix(length);
      }
    }
  }
}

TEST_CASE("a capitalised word differs in its first letter alone where its script has capitals") {
  const WordList words(20'000, 0.5);
  for (std::int32_t rank = 0; rank < words.size(); ++rank) {
    const std::string_view small = words.word(rank);
    const std::string_view capital = words.capitalised(rank);
    REQUIRE(capital.size() == small.size());
    const std::size_t first = utf8_character_length(small);
    CHECK(capital.substr(first) == small.substr(first));
    CHECK((capital == small) == (first == 3));  // ideographs have none
  }
  CHECK(words.capitalised(0) == "The");
}

TEST_CASE("every script has its capitals") {
  const WordList words(20'000, 1.0);
  std::unordered_set<std::string> capitals;
  for (std::int32_t rank = 64; rank < words.size(); ++rank) {
    const std::string_view word = words.capitalised(rank);
    capitals.emplace(word.substr(0, utf8_character_length(word)));
  }
  for (const char* letter : {"B", "Σ", "Ω", "Χ", "Б", "Ж", "Р", "С", "Ш", "一"}) {
    CAPTURE(letter);
    // No word begins with a vowel, so Omega stands only inside words.
    CHECK(capitals.contains(letter) == (std::string_view(letter) != "Ω"));
  }
}

}  // namespace
}  // namespace inkling::bench
