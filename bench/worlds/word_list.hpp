// The words of a synthetic corpus: English function words first, then invented words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inkling::bench {

/// Words by rank, the most frequent first and, on the whole, shorter. All differ, in lower case; the word of
/// a rank is the same in every list of the same share, however long. Function words hold the first ranks;
/// the others are made of syllables, a share of them with accents, in Greek, in Cyrillic and in ideographs.
/// Thread safety: const after construction.
class WordList {
 public:
  /// The number of function words: those that lists of English stop words hold. They have the first ranks.
  static constexpr std::int32_t function_words = 64;
  /// Up to this many words are sure to differ.
  static constexpr std::int32_t most = 10'000'000;

  /// Requires: function_words <= count <= most, 0 <= unicode_share <= 1.
  explicit WordList(std::int32_t count, double unicode_share = 0.0);

  [[nodiscard]] std::int32_t size() const noexcept { return static_cast<std::int32_t>(places_.size()); }

  /// Requires: 0 <= rank < size(), here and below. Lifetime: lends the list's memory.
  [[nodiscard]] std::string_view word(std::int32_t rank) const noexcept { return {at(rank), length(rank)}; }

  /// The same with a capital first letter, where its script has them; as long in bytes.
  [[nodiscard]] std::string_view capitalised(std::int32_t rank) const noexcept {
    return {at(rank) + length(rank), length(rank)};
  }

 private:
  struct Place {
    std::uint32_t begin;  // of the word, which its capitalised form follows
    std::uint32_t length;
  };

  void add(std::string_view word);

  [[nodiscard]] const char* at(std::int32_t rank) const noexcept {
    return text_.data() + places_[static_cast<std::size_t>(rank)].begin;
  }
  [[nodiscard]] std::size_t length(std::int32_t rank) const noexcept {
    return places_[static_cast<std::size_t>(rank)].length;
  }

  std::vector<Place> places_;  // by rank
  std::string text_;
};

}  // namespace inkling::bench
