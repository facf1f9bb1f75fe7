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

/// A non-zero as grouping sees it: to make columns, the key is the feature and the member the row; to make
/// rows, the other way round.
struct GroupedEntry {
  std::int32_t key;
  std::int32_t member;
  float value;
};

/// Consecutive keys with all their entries, or a piece of one key that has too many to hold at once.
/// Lifetime: valid during the call that hands it over.
struct EntryGroups {
  std::int32_t first_key = 0;
  std::span<const std::int64_t>
      sizes;  ///< by key, of what is here; the entries follow one another in this order
  std::span<const std::int32_t> members;
  std::span<const float> values;
};

/// Keys are cut into parts that fit in memory. Entries are gathered by part in chunks, which go to a scratch
/// file when memory is spent; in the end each part is read back and laid out by key, several of them in
/// parallel. What comes out depends only on what came in, except where it is cut into
/// EntryGroups. Thread safety: one thread at a time. Lifetime: the staging outlives it.
class GroupedEntries {
 public:
  /// `counts`: how many entries each key has, exactly. `memory`: bytes that it may use,
  /// about 12 a key not counted.
  GroupedEntries(const PoolStaging& staging, std::vector<std::int64_t> counts, std::uint64_t memory);
  ~GroupedEntries();
  GroupedEntries(const GroupedEntries&) = delete;
  GroupedEntries& operator=(const GroupedEntries&) = delete;

  /// Entries in any order of keys (ascending is fastest); `first_member` is added to each member.
  /// Throws std::logic_error where a key is not within the counts.
  void append(std::span<const GroupedEntry> entries, std::int32_t first_member = 0);

  /// Hands over all groups in ascending order of keys, the entries of a key in the order in which they came.
  /// `consume` is called from one thread at a time. Requires: called once.
  /// Throws std::logic_error where the counts given were not the counts that came.
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
  std::size_t chunks_left_ = 0;  // that may still be kept in memory
  std::size_t parts_at_once_ = 1;
  std::optional<ScratchFile> scratch_;
};

}  // namespace inkling
