// A map from ids to small numbers. Its memory grows with its entries, not with the range of ids.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace inkling {

/// A hash table with open addressing. A table of a hundred ids stays in the first-level cache, so looking an id up
/// costs a multiplication and a load or two; at most half of the slots are used.
/// Thread safety: const members may be called from several threads at once.
template <typename Id>
class IdMap {
 public:
  /// What `find` returns for an id that is not in the map.
  static constexpr std::int32_t kNone = -1;

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// The number of the id, or kNone.
  [[nodiscard]] std::int32_t find(Id id) const noexcept {
    if (size_ == 0) return kNone;
    return slots_[slot_of(id)].number;
  }
  [[nodiscard]] bool contains(Id id) const noexcept { return find(id) != kNone; }
  /// Prefetches the slot of the id for a later find().
  void prefetch(Id id) const noexcept {
    if (size_ != 0) __builtin_prefetch(&slots_[home_of(id)]);
  }

  /// The id has this number from now on. Requires: number >= 0.
  void set(Id id, std::int32_t number) {
    assert(number >= 0);
    if (2 * (size_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[slot_of(id)];
    if (slot.number == kNone) ++size_;
    slot = {id, number};
  }

  /// Returns the number that the id had, or kNone.
  std::int32_t erase(Id id) noexcept {
    if (size_ == 0) return kNone;
    std::size_t hole = slot_of(id);
    const std::int32_t number = slots_[hole].number;
    if (number == kNone) return kNone;
    --size_;
    // Entries that the erased id displaced move back, because a search ends at the first empty slot.
    for (std::size_t next = after(hole); slots_[next].number != kNone; next = after(next)) {
      const std::size_t home = home_of(slots_[next].id);
      const bool may_move = hole <= next ? home <= hole || home > next : home <= hole && home > next;
      if (!may_move) continue;
      slots_[hole] = slots_[next];
      hole = next;
    }
    slots_[hole] = {};
    return number;
  }

  void clear() noexcept {
    slots_.clear();
    size_ = 0;
  }

  [[nodiscard]] std::size_t bytes() const noexcept { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    Id id = 0;
    std::int32_t number = kNone;
  };

  static constexpr std::size_t kFewestSlots = 16;

  [[nodiscard]] std::size_t home_of(Id id) const noexcept {
    return static_cast<std::size_t>((static_cast<std::uint64_t>(id) * std::uint64_t{0x9E3779B97F4A7C15}) >> shift_);
  }
  [[nodiscard]] std::size_t after(std::size_t slot) const noexcept { return (slot + 1) & (slots_.size() - 1); }

  /// The slot of the id, or the free slot where it would be. Requires: the table has slots.
  [[nodiscard]] std::size_t slot_of(Id id) const noexcept {
    std::size_t slot = home_of(id);
    while (slots_[slot].number != kNone && slots_[slot].id != id) slot = after(slot);
    return slot;
  }

  void grow() {
    std::vector<Slot> before(slots_.empty() ? kFewestSlots : 2 * slots_.size());
    before.swap(slots_);
    shift_ = 64 - std::countr_zero(slots_.size());
    for (const Slot& slot : before)
      if (slot.number != kNone) slots_[slot_of(slot.id)] = slot;
  }

  std::vector<Slot> slots_;  // their number is a power of two, or 0
  int shift_ = 0;
  std::size_t size_ = 0;
};

}  // namespace inkling
