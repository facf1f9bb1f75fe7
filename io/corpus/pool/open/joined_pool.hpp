// The shards of a set, put together in memory as one pool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/base/system/memory.hpp"
#include "io/corpus/pool/format/set_file.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/pool/open/pool_set.hpp"

namespace inkling {

/// The labels of several pools as labels of one pool.
struct JoinedLabels {
  std::vector<std::string> names;  ///< ascending, each once
  /// By pool, and by the number of a label there: its number among `names`.
  std::vector<std::vector<std::int32_t>> numbers;
};

[[nodiscard]] JoinedLabels joined_labels(std::span<const Pool* const> pools);

/// The arrays that a joined pool owns. Its strings stay in the files of the shards.
struct JoinedArrays {
  template <typename Number>
  using Numbers = std::unique_ptr<Number[]>;

  std::vector<std::int64_t> row_offsets;
  Numbers<FeatureId> row_features;
  Numbers<float> row_values;
  std::vector<std::int64_t> column_offsets;
  Numbers<DocumentId> column_rows;
  Numbers<float> column_values;

  std::vector<std::int8_t> vectors;
  std::vector<float> vector_scales;
  std::vector<std::int32_t> document_frequency;
  std::vector<std::int32_t> labels;
  CopiedRows copies;
  std::vector<std::int64_t> first_rows;  ///< by pool
  std::vector<StringTable> ids;          ///< by pool, as the next; empty where it has none
  std::vector<StringTable> texts;
  std::vector<StringTable> fields;
};

/// How many bytes of memory a joined set takes, with its open shards, but for vectors, of which only the shards know.
[[nodiscard]] std::uint64_t joined_bytes(const SetFile& set);

/// Joins pools with one numbering of documents, as PoolSet has checked, and fills `arrays`. The bytes that it copies are
/// those that were checked: throws CorruptFileError if a file was written to since its pool was opened. Throws
/// std::bad_alloc. Lifetime: lends the arrays and the strings of the pools. Requires: fewer than 2^31 rows; at least one
/// pool; `copies` are those of all of them, numbered as in the joined pool.
[[nodiscard]] PoolContents joined_contents(std::span<const Pool* const> pools, SetCopies copies, JoinedArrays& arrays);

/// One pool, as searches need it, opened from a folder or joined from the shards of a set. Move-only. Thread safety:
/// const after opening.
class WholePool {
 public:
  /// Throws as PoolSet::open does. Throws FormatError, without opening any shard, for a set that does not fit into
  /// `memory` bytes or has more documents than a search can number.
  WholePool(const std::string& path, PoolTrust trust, std::uint64_t memory = memory_of_machine());

  /// The pool, or the separate shards, which tell which set this is.
  [[nodiscard]] const PoolSet& members() const& noexcept { return members_; }
  const PoolSet& members() const&& = delete;
  [[nodiscard]] const Pool& pool() const& noexcept { return joined_ ? *joined_ : members_.mapped(0); }
  const Pool& pool() const&& = delete;

 private:
  PoolSet members_;
  std::unique_ptr<const Pool> joined_;  // null if there is only one pool, which knows its copies
};

}  // namespace inkling
