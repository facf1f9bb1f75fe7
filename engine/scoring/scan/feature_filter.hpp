// Finds the few entries of a row whose features are relevant, without a branch for each of the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/model/relevant_features.hpp"
#include "engine/scoring/scan/entry_filter.hpp"
#include "engine/sparse/csr_view.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling {

/// A set of features for which rows are searched. All ids of a block are first tested against a set so small that it
/// fits in registers, and that lets a few others pass. Those that pass are then looked up in a hash table. Memory is a
/// few words a feature, however many features the pool has. Thread safety: const members may be called from several
/// threads at once.
class FeatureFilter {
 public:
  /// Requires: ascending, each once, each 0 or more; the method is offered.
  explicit FeatureFilter(std::vector<FeatureId> features, FilterMethod method = widest_filter());

  [[nodiscard]] std::span<const FeatureId> features() const noexcept { return features_; }

  /// The row's entries of these features: positions in features(). Valid until `buffer` is used again.
  [[nodiscard]] RestrictedRow restrict_row(SparseRow row, RestrictedRows& buffer) const;

  /// The same for a block of rows. Requires: `rows` within the documents.
  void restrict_rows(CsrView documents, RowBlock rows, RestrictedRows& restricted) const;

 private:
  struct Slot {
    FeatureId feature = kNone;
    std::int32_t position = 0;
  };
  struct Piece;
  static constexpr FeatureId kNone = -1;

  /// Where features are looked up: open addressing, at most an eighth full.
  class Slots {
   public:
    explicit Slots(std::span<const FeatureId> features);

    /// The feature's slot, or an empty one.
    [[nodiscard]] const Slot& find(FeatureId feature) const noexcept {
      const Slot* slot = slots_.data() + home(feature);
      while (is_of_another(*slot, feature)) slot = next(slot);
      return *slot;
    }

   private:
    [[nodiscard]] std::size_t home(FeatureId feature) const noexcept {
      return (static_cast<std::uint32_t>(feature) * 0x9E3779B1U) >> shift_;
    }
    [[nodiscard]] const Slot* next(const Slot* slot) const noexcept { return slot == &slots_.back() ? slots_.data() : slot + 1; }
    /// Neither empty nor the feature's. One product gives one branch, which is hardly ever taken; two branches could
    /// not be predicted.
    [[nodiscard]] static bool is_of_another(const Slot& slot, FeatureId feature) noexcept {
      const std::uint64_t differs = static_cast<std::uint32_t>(slot.feature ^ feature);
      const std::uint64_t is_full = static_cast<std::uint32_t>(slot.feature - kNone);
      return differs * is_full != 0;
    }

    unsigned shift_;
    std::vector<Slot> slots_;
  };

  void look_up(Piece& piece, std::size_t used, RestrictedRows& restricted) const;

  std::vector<FeatureId> features_;
  FeatureBits bits_;
  FilterMethod method_;
  Slots slots_;
};

}  // namespace inkling
