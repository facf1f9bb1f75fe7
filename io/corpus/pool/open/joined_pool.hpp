// The shards of a set, put together in memory as one pool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/corpus/pool/format/set_file.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/pool/open/pool_set.hpp"

namespace inkling {

/// The labels of several pools as one pool has them.
struct JoinedLabels {
  std::vector<std::string> names;  ///< ascending, each once
  /// By pool, and by the number that a label has there: its number among the names.
  std::vector<std::vector<std::int32_t>> numbers;
};

[[nodiscard]] JoinedLabels joined_labels(std::span<const Pool* const> pools);

/// What a pool that is put together owns. Its strings stay in the files of the shards.
struct JoinedArrays {
  template <typename Number>
  using Numbers = std::unique_ptr<Number[]>;

  std::vector<std::int64_t> row_offsets;
  Numbers<FeatureId> row_features;
  Numbers<float> row_values;
  std::vector<std::int64_t> column_offsets;
  Numbers<DocumentId> column_rows;
  Numbers<float> column_values;

  std::vector<std::int32_t> document_frequency;
  std::vector<std::int32_t> labels;
  CopiedRows copies;
  std::vector<std::int64_t> first_rows;  ///< by pool
  std::vector<StringTable> ids;          ///< by pool, as the next; empty where it has none
  std::vector<StringTable> texts;
  std::vector<StringTable> fields;
};

/// How many bytes of memory a set takes that is put together, with the shards that stay open.
[[nodiscard]] std::uint64_t joined_bytes(const SetFile& set);

/// Puts pools together that are one numbering of documents, as PoolSet has checked. What is copied is what was checked.
/// `arrays` is filled. Lifetime: lends the arrays and the strings of the pools. Throws CorruptFileError where a file was
/// written to since its pool was opened, and std::bad_alloc. Requires: fewer than 2^31 rows; at least one pool.
[[nodiscard]] PoolContents joined_contents(std::span<const Pool* const> pools, JoinedArrays& arrays);

/// One pool, as searches need it, opened from a folder or put together from the shards of a set. Move-only.
/// Thread safety: const after opening.
class WholePool {
 public:
  /// Throws what PoolSet::open does. A set that does not fit into `memory` bytes, or that has more documents than a search
  /// can number, is refused with a FormatError, and none of its shards is opened.
  WholePool(const std::string& path, PoolTrust trust, std::uint64_t memory = memory_of_machine());

  /// The pool, or the shards as they are: what tells which set this is.
  [[nodiscard]] const PoolSet& members() const& noexcept { return members_; }
  const PoolSet& members() const&& = delete;
  [[nodiscard]] const Pool& pool() const& noexcept { return joined_ ? *joined_ : members_.mapped(0); }
  const Pool& pool() const&& = delete;

  [[nodiscard]] static std::uint64_t memory_of_machine();

 private:
  PoolSet members_;
  std::unique_ptr<const Pool> joined_;  // none where there is one pool
};

}  // namespace inkling
