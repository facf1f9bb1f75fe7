// The parts of texts: words, English function words first and then invented ones; and how words are drawn
// from a list of weights in constant time (Walker's method, tables as Vose builds them), and lengths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/random_stream.hpp"

namespace inkling {

/// Words by rank, the most frequent first and, on the whole, shorter. All differ, in lower case; the word of
/// a rank is the same in every list, however long. Function words hold the first ranks; the others are made of syllables.
/// Thread safety: const after construction.
class WordList {
 public:
  /// The number of function words: those that lists of English stop words hold. They have the first ranks.
  static constexpr std::int32_t function_words = 64;
  /// Up to this many words are sure to differ.
  static constexpr std::int32_t most = 10'000'000;

  /// Requires: function_words <= count <= most.
  explicit WordList(std::int32_t count);

  [[nodiscard]] std::int32_t size() const noexcept { return static_cast<std::int32_t>(places_.size()); }

  /// Requires: 0 <= rank < size(), here and below. Lifetime: lends the list's memory.
  [[nodiscard]] std::string_view word(std::int32_t rank) const noexcept { return {at(rank), length(rank)}; }

  /// The same with a capital first letter.
  [[nodiscard]] std::string_view capitalised(std::int32_t rank) const noexcept { return {at(rank) + length(rank), length(rank)}; }

 private:
  struct Place {
    std::uint32_t begin;  // of the word, which its capitalised form follows
    std::uint32_t length;
  };

  void add(std::string_view word);

  [[nodiscard]] const char* at(std::int32_t rank) const noexcept {
    return text_.data() + places_[static_cast<std::size_t>(rank)].begin;
  }
  [[nodiscard]] std::size_t length(std::int32_t rank) const noexcept { return places_[static_cast<std::size_t>(rank)].length; }

  std::vector<Place> places_;  // by rank
  std::string text_;
};

/// Draws index n with probability weights[n] / sum, up to an error of 2^-32. Built of additions, products and quotients in a
/// fixed order: the same draws on every machine. Thread safety: const after construction.
class AliasTable {
 public:
  /// Requires: 1 to 2^31 weights, none negative, their sum positive and finite.
  explicit AliasTable(std::span<const double> weights);

  /// Turns 64 uniform bits into an index.
  [[nodiscard]] std::uint32_t draw(std::uint64_t bits) const noexcept {
    const std::uint64_t cell = ((bits >> 32U) * cells_.size()) >> 32U;
    const Cell& chosen = cells_[static_cast<std::size_t>(cell)];
    return (bits & 0xFFFFFFFFU) < chosen.keeps ? static_cast<std::uint32_t>(cell) : chosen.other;
  }

 private:
  struct Cell {
    std::uint32_t keeps;  // how many of 2^32 draws that fall here are this index
    std::uint32_t other;  // the rest are this one
  };

  std::vector<Cell> cells_;
};

/// (1 + head)^-exponent, (2 + head)^-exponent, ...
[[nodiscard]] std::vector<double> zipf_weights(std::int32_t count, double exponent, double head = 0.0);

/// A whole number of words, lognormal with this mean before it is cut to `fewest` and 3,000.
[[nodiscard]] std::int32_t draw_length(double mean, double sigma, double fewest, RandomStream& random);

}  // namespace inkling
