// Sorts the features of one row after the other.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"

namespace inkling {

/// Cuts the features into ranges with about the same number of entries each, so that the entries of a row spread over
/// many ranges. Thread safety: immutable.
class FeatureRanges {
 public:
  static constexpr unsigned count_bits = 11;
  static constexpr std::size_t count = std::size_t{1} << count_bits;

  /// `entries`: how many each feature has, in all rows together.
  explicit FeatureRanges(std::span<const std::int64_t> entries);

  /// The range of a feature; a larger feature never has a smaller range. Requires: a feature that was counted.
  [[nodiscard]] std::size_t range_of(FeatureId feature) const noexcept {
    return range_of_cell_[static_cast<std::uint32_t>(feature) >> shift_];
  }
  /// How many bits the largest feature has.
  [[nodiscard]] unsigned feature_bits() const noexcept { return feature_bits_; }

 private:
  static constexpr unsigned most_cell_bits = 12;

  unsigned feature_bits_;
  unsigned shift_;  // from a feature to its cell: consecutive features, few enough cells for the nearest cache
  std::vector<std::uint16_t> range_of_cell_;
};

/// Keeps its memory from row to row. Thread safety: one thread at a time. Lifetime: lends the ranges.
class RowSorter {
 public:
  explicit RowSorter(const FeatureRanges& ranges) : ranges_(&ranges) {}

  /// Sorts entries by feature into `to_features` and `to_values`, which have room for them. Requires: as many values as
  /// features, and no feature twice.
  void sort(std::span<const FeatureId> features, std::span<const float> values, FeatureId* to_features, float* to_values);

 private:
  using Entry = std::uint64_t;  // the feature, and below it the bits of the value

  /// Requires: the number of features fits in a Count.
  template <typename Count>
  void deal_out(std::span<const FeatureId> features, std::span<const float> values);
  void sort_by_digits(std::span<const FeatureId> features, std::span<const float> values);

  const FeatureRanges* ranges_;
  std::vector<Entry> entries_;  // its size is its capacity
  std::vector<Entry> spare_;
};

}  // namespace inkling
