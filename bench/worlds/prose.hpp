// Strings words together as people do: sentences and paragraphs, names, numbers, brackets and quotes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "bench/worlds/word_list.hpp"
#include "engine/core/random_stream.hpp"

namespace inkling::bench {

/// What formats escape in different ways.
struct TextMarks {
  std::string_view quote;
  std::string_view paragraph_end;
};
inline constexpr TextMarks kPlainMarks = {"\"", "\n"};

/// Mostly plain words with a space between them. Lifetime: lends all that it is given.
class Prose {
 public:
  Prose(const WordList& words, const TextMarks& marks, RandomStream& random, std::string& out)
      : words_(words), marks_(marks), random_(random), out_(out) {}

  /// Appends this many words in sentences, with nothing before the first and after the last. Numbers are
  /// extra words. `rank_of(coin, bits)` turns 32 and 64 uniform bits into the rank of the next word.
  template <typename RankOf>
  void write(std::int32_t words, const RankOf& rank_of) {
    while (words > 0) {
      const std::int32_t length = std::min(words, sentence_length());
      words -= length;
      for (std::int32_t n = 0; n < length; ++n) {
        const std::uint64_t chance = random_.next();
        append_word(rank_of(chance & 0xFFFFFFFFU, random_.next()), chance >> 32U);
      }
      end_sentence();
    }
  }

 private:
  [[nodiscard]] std::int32_t sentence_length();
  void append_word(std::int32_t rank, std::uint64_t chance);
  void append_ornate(std::int32_t rank, std::uint64_t chance);
  void append_number(std::uint64_t chance);
  [[nodiscard]] std::string_view form_of(std::int32_t rank);
  void end_sentence();

  const WordList& words_;
  TextMarks marks_;
  RandomStream& random_;
  std::string& out_;
  std::string_view gap_;  // goes before the next word
  bool sentence_begins_ = true;
};

}  // namespace inkling::bench
