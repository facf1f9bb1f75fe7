#include "bench/worlds/word_list.hpp"

#include <algorithm>
#include <unordered_set>

#include <doctest/doctest.h>

namespace inkling::bench {
namespace {

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
  const WordList few(100);
  const WordList many(5'000);
  for (std::int32_t rank = 0; rank < few.size(); ++rank) CHECK(few.word(rank) == many.word(rank));
}

TEST_CASE("a capitalised word differs in its first letter alone") {
  const WordList words(20'000);
  for (std::int32_t rank = 0; rank < words.size(); ++rank) {
    REQUIRE(words.capitalised(rank).size() == words.word(rank).size());
    CHECK(words.capitalised(rank).substr(1) == words.word(rank).substr(1));
    CHECK(words.capitalised(rank)[0] == words.word(rank)[0] - 'a' + 'A');
  }
}

}  // namespace
}  // namespace inkling::bench
