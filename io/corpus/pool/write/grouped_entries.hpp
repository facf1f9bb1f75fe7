// Brings entries that come in any order into groups by key, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "io/corpus/pool/write/pool_staging.hpp"
#include "io/corpus/pool/write/staged_file.hpp"

namespace inkling {

/// A non-zero to be grouped by its key. To make columns, the key is the feature and the member the row; to make rows, the
/// reverse.
struct GroupedEntry {
  std::int32_t key;
  std::int32_t member;
  float value;
};

/// Consecutive keys with all their entries, or some entries of one key that has too many to hold at once. Lifetime: valid
/// during the call that hands it over.
struct EntryGroups {
  std::int32_t first_key = 0;
  std::span<const std::int64_t> sizes;  ///< by key: how many entries are here; the entries follow one another in this order
  std::span<const std::int32_t> members;
  std::span<const float> values;
};

/// Keys are cut into parts that fit in memory. The entries of each part are gathered in chunks, which go to a scratch
/// file when memory is spent; at the end each part is read back and sorted by key, several parts in parallel. The entries
/// that come out depend only on those that came in; how they are cut into EntryGroups may differ. Thread safety: one
/// thread at a time. Lifetime: the staging outlives it.
class GroupedEntries {
 public:
  /// `counts`: exactly how many entries each key has. `memory`: bytes that it may use, beside about 12 for each key.
  GroupedEntries(const PoolStaging& staging, std::vector<std::int64_t> counts, std::uint64_t memory);
  ~GroupedEntries();
  GroupedEntries(const GroupedEntries&) = delete;
  GroupedEntries& operator=(const GroupedEntries&) = delete;

  /// Entries in any order of keys (ascending is fastest); `first_member` is added to each member.
  /// Throws std::logic_error for a key beyond `counts`.
  void append(std::span<const GroupedEntry> entries, std::int32_t first_member = 0);

  /// Hands over all groups in ascending order of keys, the entries of a key in the order in which they came.
  /// `consume` is called from one thread at a time. Requires: called once.
  /// Throws std::logic_error if the entries that came were not as many as `counts` says.
  void take(const std::function<void(const EntryGroups&)>& consume);

 private:
  struct Part;
  struct LaidPart;

  void cut_into_parts();
  [[nodiscard]] Part& part_of(std::int32_t key);
  void make_room(Part& part);
  void prefetch(const Part& part) const;
  void forget(Part& part);
  void check_counts() const;
  template <typename Visit>
  void visit_chunks(const Part& part, const Visit& visit) const;
  [[nodiscard]] std::span<const std::int64_t> sizes_of(const Part& part) const;
  [[nodiscard]] LaidPart laid_out(Part& part) const;
  void hand_over(const LaidPart& laid, const std::function<void(const EntryGroups&)>& consume) const;

  const PoolStaging& staging_;
  const std::vector<std::int64_t> counts_;
  const std::int64_t part_entries_;
  std::vector<Part> parts_;
  std::size_t latest_part_ = 0;
  std::size_t chunk_entries_ = 0;
  std::size_t chunks_left_ = 0;  // how many more may stay in memory
  std::size_t parts_at_once_ = 1;
  std::optional<ScratchFile> scratch_;
};

}  // namespace inkling
