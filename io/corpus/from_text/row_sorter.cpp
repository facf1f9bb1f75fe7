#include "io/corpus/from_text/row_sorter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

namespace inkling {
namespace {

// Shorter rows are sorted by insertion alone: few entries have to be moved.
constexpr std::size_t kShortRow = 16;
// Longer rows are sorted by digits: each range would hold so many entries that insertion moves them too far.
constexpr std::size_t kLongRow = 2048;

constexpr unsigned kDigitBits = 11;

std::uint64_t packed(FeatureId feature, float value) {
  return (std::uint64_t{static_cast<std::uint32_t>(feature)} << 32U) | std::bit_cast<std::uint32_t>(value);
}

// Replaces each count by the sum of the counts before it. Multiplying eight bytes of counts by ones adds up these counts.
// Requires: the sum of all fits in a Count, and the counts fill whole words of eight bytes.
template <typename Count>
void counts_to_begins(std::span<Count> counts) {
  static_assert(std::endian::native == std::endian::little);
  constexpr unsigned bits = std::numeric_limits<Count>::digits;
  constexpr std::uint64_t ones = std::numeric_limits<std::uint64_t>::max() / std::numeric_limits<Count>::max();
  std::uint64_t before = 0;
  for (std::size_t n = 0; n < counts.size(); n += sizeof(std::uint64_t) / sizeof(Count)) {
    std::uint64_t word = 0;
    std::memcpy(&word, &counts[n], sizeof(word));
    const std::uint64_t sums = word * ones;
    word = (sums << bits) + before * ones;
    std::memcpy(&counts[n], &word, sizeof(word));
    before += sums >> (64 - bits);
  }
}

// Swaps two numbers that are out of order, by a mask: compilers would make a branch of a comparison, and it could not be
// predicted. Requires: their difference fits in 63 bits.
void put_in_order(std::uint64_t& first, std::uint64_t& second) {
  const std::uint64_t above = second - first;
  const std::uint64_t if_negative = above & (0 - (above >> 63U));
  first += if_negative;
  second -= if_negative;
}

// Fast if most entries are at their places or next to them.
void sort_by_insertion(std::span<std::uint64_t> entries) {
  // This puts nearly all pairs of neighbours in order.
  for (std::size_t n = 1; n < entries.size(); n += 2) put_in_order(entries[n - 1], entries[n]);
  for (std::size_t n = 2; n < entries.size(); n += 2) put_in_order(entries[n - 1], entries[n]);
  for (std::size_t n = 1; n < entries.size(); ++n) {
    const std::uint64_t entry = entries[n];
    if (entries[n - 1] <= entry) continue;
    std::size_t to = n;
    do {
      entries[to] = entries[to - 1];
      --to;
    } while (to > 0 && entries[to - 1] > entry);
    entries[to] = entry;
  }
}

}  // namespace

FeatureRanges::FeatureRanges(std::span<const std::int64_t> entries)
    : feature_bits_(static_cast<unsigned>(std::bit_width(entries.size() - std::min<std::size_t>(entries.size(), 1)))),
      shift_(feature_bits_ - std::min(feature_bits_, most_cell_bits)) {
  const std::int64_t all = std::accumulate(entries.begin(), entries.end(), std::int64_t{0});
  std::int64_t before = 0;
  for (std::size_t feature = 0; feature < entries.size(); ++feature) {
    if ((feature >> shift_) == range_of_cell_.size()) {
      // In floating point, because the product may be more than an integer holds.
      const double share = static_cast<double>(before) / static_cast<double>(std::max<std::int64_t>(all, 1));
      range_of_cell_.push_back(
          static_cast<std::uint16_t>(std::min(share * static_cast<double>(count), static_cast<double>(count - 1))));
    }
    before += entries[feature];
  }
}

void RowSorter::sort(std::span<const FeatureId> features, std::span<const float> values, FeatureId* to_features,
                     float* to_values) {
  const std::size_t size = features.size();
  if (size == 0) return;
  if (size > entries_.size()) {
    entries_.resize(2 * size);
    spare_.resize(entries_.size());
  }
  if (size > kLongRow) {
    sort_by_digits(features, values);
  } else if (size > kShortRow) {
    if (size <= std::numeric_limits<std::uint8_t>::max())
      deal_out<std::uint8_t>(features, values);
    else
      deal_out<std::uint16_t>(features, values);
    sort_by_insertion(std::span(entries_).first(size));
  } else {
    for (std::size_t n = 0; n < size; ++n) entries_[n] = packed(features[n], values[n]);
    sort_by_insertion(std::span(entries_).first(size));
  }
  for (std::size_t n = 0; n < size; ++n) {
    to_features[n] = static_cast<FeatureId>(entries_[n] >> 32U);
    to_values[n] = std::bit_cast<float>(static_cast<std::uint32_t>(entries_[n]));
  }
}

// Deals entries out to more ranges than there are entries, but at most twice as many. With fewer ranges more entries have
// to be moved afterwards; with more ranges counting takes longer.
template <typename Count>
void RowSorter::deal_out(std::span<const FeatureId> features, std::span<const float> values) {
  const unsigned bits = std::min(static_cast<unsigned>(std::bit_width(features.size())), FeatureRanges::count_bits);
  const unsigned shift = FeatureRanges::count_bits - bits;
  Count next[FeatureRanges::count];  // not initialised: most rows need few of them
  const std::span<Count> counts = std::span(next).first(std::size_t{1} << bits);
  std::ranges::fill(counts, Count{0});
  for (const FeatureId feature : features) ++next[ranges_->range_of(feature) >> shift];
  counts_to_begins(counts);
  Entry* const entries = entries_.data();
  for (std::size_t n = 0; n < features.size(); ++n)
    entries[next[ranges_->range_of(features[n]) >> shift]++] = packed(features[n], values[n]);
}

// Stable passes from the lowest digit to the highest.
void RowSorter::sort_by_digits(std::span<const FeatureId> features, std::span<const float> values) {
  const std::size_t size = features.size();
  for (std::size_t n = 0; n < size; ++n) entries_[n] = packed(features[n], values[n]);
  constexpr std::uint64_t mask = (std::uint64_t{1} << kDigitBits) - 1;
  for (unsigned bit = 0; bit < ranges_->feature_bits(); bit += kDigitBits) {
    const unsigned shift = 32 + bit;
    std::array<std::uint32_t, std::size_t{1} << kDigitBits> next{};
    for (std::size_t n = 0; n < size; ++n) ++next[(entries_[n] >> shift) & mask];
    std::uint32_t begin = 0;
    for (std::uint32_t& place : next) begin += std::exchange(place, begin);
    for (std::size_t n = 0; n < size; ++n) spare_[next[(entries_[n] >> shift) & mask]++] = entries_[n];
    std::swap(entries_, spare_);
  }
}

}  // namespace inkling
