// Finds the entries of many rows that may hold a relevant feature: the part of a scan that reads every entry.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/sparse/sparse_row.hpp"

namespace inkling {

/// A set of features by two remainders of each, small enough for the registers of a wide processor: a feature
/// may be in the set where the bits of both its remainders are set. A few others pass.
///
/// A remainder has ten bits: the low five say which word of a table, the others which bit of it.
struct FeatureBits {
  static constexpr std::size_t words_in_table = 32;
  using Table = std::array<std::uint32_t, words_in_table>;

  alignas(64) Table by_low_bits{};   ///< of the feature itself
  alignas(64) Table by_high_bits{};  ///< of the feature without its low `low_bits`

  /// The two remainders share two bits, so that they differ even with only a few thousand features.
  static constexpr unsigned low_bits = 8;

  explicit FeatureBits(std::span<const FeatureId> features);

  [[nodiscard]] static bool holds(const Table& table, std::uint32_t number) noexcept {
    return std::rotr(table[number % words_in_table], static_cast<int>(number / words_in_table % 32)) >> 31U != 0;
  }
  [[nodiscard]] bool may_hold(FeatureId feature) const noexcept {
    const auto id = static_cast<std::uint32_t>(feature);
    return (static_cast<unsigned>(holds(by_low_bits, id)) & static_cast<unsigned>(holds(by_high_bits, id >> low_bits))) != 0;
  }
};

/// How entries are tested. AVX2 has no room for the second table and lets a few more pass.
enum class FilterMethod { plain, avx2, avx512 };

/// The widest that this processor offers.
[[nodiscard]] FilterMethod widest_filter() noexcept;
[[nodiscard]] bool is_offered(FilterMethod method) noexcept;

/// The entries of a piece of rows that may hold a relevant feature.
struct PassedEntries {
  static constexpr std::size_t most_entries = 1024;
  static constexpr std::size_t word_bits = 64;
  static constexpr std::size_t most_words = most_entries / word_bits;
  /// Entries are written in groups of this size, even if fewer passed.
  static constexpr std::size_t at_once = 4;

  std::array<std::uint64_t, most_words + 1> words{};            ///< a bit for each entry, and a word that is clear
  std::array<std::uint16_t, most_words + 1> before{};           ///< how many passed before each word
  std::array<std::uint16_t, most_entries + at_once> entries{};  ///< ascending
  std::size_t count = 0;

  /// How many passed before this one. Requires: entry <= entries in the piece.
  [[nodiscard]] std::size_t count_before(std::size_t entry) const noexcept {
    const std::uint64_t below = (std::uint64_t{1} << (entry % word_bits)) - 1;
    return before[entry / word_bits] + static_cast<std::size_t>(std::popcount(words[entry / word_bits] & below));
  }
};

/// The entries n such that features[n] may be in the set. It prefetches the features and values half a piece further on, even
/// beyond the end of the rows, because the processor cannot foresee which values will be read. Requires: at most most_entries
/// features, as many values, a method that is offered.
void pass_entries(const FeatureBits& bits, SparseRow entries, FilterMethod method, PassedEntries& passed);

}  // namespace inkling
