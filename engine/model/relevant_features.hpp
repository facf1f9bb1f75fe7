// The features a person has marked, in order of discovery, and the documents restricted to them.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/id_map.hpp"
#include "engine/sparse/restricted_rows.hpp"
#include "engine/sparse/sparse_row.hpp"

namespace inkling {

/// R_t of the paper: a set of features with an order.
/// Thread safety: const members may be called from several threads at once.
class RelevantFeatures {
 public:
  [[nodiscard]] std::int32_t size() const noexcept { return static_cast<std::int32_t>(order_.size()); }
  [[nodiscard]] bool empty() const noexcept { return order_.empty(); }
  [[nodiscard]] std::span<const FeatureId> in_order() const noexcept { return order_; }

  [[nodiscard]] bool contains(FeatureId feature) const noexcept { return position_.contains(feature); }
  [[nodiscard]] std::optional<std::int32_t> position(FeatureId feature) const noexcept {
    const std::int32_t position = position_.find(feature);
    if (position == kNotRelevant) return std::nullopt;
    return position;
  }

  /// Appends the feature. Requires: not contained.
  void append(FeatureId feature) {
    assert(!contains(feature));
    order_.push_back(feature);
    position_.set(feature, size() - 1);
    sift_in(feature);
  }

  /// visit(position, value) for each relevant feature of the row, in ascending order of feature.
  template <typename Visit>
  void for_each_relevant(SparseRow row, const Visit& visit) const {
    for (std::size_t n = 0; n < row.size(); ++n) {
      if (!passes(row.features[n])) continue;
      const std::int32_t position = position_.find(row.features[n]);
      if (position != kNotRelevant) visit(position, row.values[n]);
    }
  }

  /// The row's relevant part, in ascending order of feature. Valid until `buffer` is used again.
  [[nodiscard]] RestrictedRow restrict_row(SparseRow row, RestrictedRows& buffer) const {
    buffer.clear();
    for_each_relevant(row, [&](std::int32_t position, float value) { buffer.add(position, static_cast<double>(value)); });
    return {buffer.positions, buffer.values};
  }

 private:
  static constexpr std::int32_t kNotRelevant = IdMap<FeatureId>::kNone;

  // Most features of a row are not relevant. A bit for each remainder modulo this number rules out nearly all of them.
  static constexpr std::uint32_t kRemainders = 4096;
  static constexpr std::uint32_t kBitsTogether = 64;

  [[nodiscard]] static std::uint32_t remainder(FeatureId feature) noexcept {
    return static_cast<std::uint32_t>(feature) % kRemainders;
  }
  [[nodiscard]] bool passes(FeatureId feature) const noexcept {
    const std::uint32_t bit = remainder(feature);
    return ((sieve_[bit / kBitsTogether] >> (bit % kBitsTogether)) & 1U) != 0;
  }
  void sift_in(FeatureId feature) noexcept {
    const std::uint32_t bit = remainder(feature);
    sieve_[bit / kBitsTogether] |= std::uint64_t{1} << (bit % kBitsTogether);
  }

  std::vector<FeatureId> order_;
  IdMap<FeatureId> position_;
  std::array<std::uint64_t, kRemainders / kBitsTogether> sieve_{};
};

}  // namespace inkling
