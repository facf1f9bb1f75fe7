// Writes the two layouts of a pool's matrix from blocks of rows, in bounded memory.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "io/pool/write/grouped_entries.hpp"
#include "io/pool/write/sorted_block.hpp"
#include "io/pool/write/staged_file.hpp"

namespace inkling {

/// indptr, indices, data and by_feature/* of a pool, from sorted blocks in order.
/// Columns are formed at the end, one range of features at a time, so that memory stays within the limit
/// whatever the size of the matrix. The bytes written do not depend on limit or threads. Thread safety: one
/// thread at a time. Lifetime: the staging outlives it.
class MatrixWriter {
 public:
  /// `feature_counts`: how many rows hold each feature, exactly. `memory`: bytes
  /// it may use beside its blocks.
  MatrixWriter(PoolStaging& staging, const std::vector<std::int64_t>& feature_counts, std::uint64_t memory);

  /// In order of rows. Throws FormatError beyond the most rows that a pool can have.
  void append(const SortedBlock& block);

  /// Writes by_feature/*, in parallel; `advance(n)` tells non-zeros written. Closes all files.
  /// Throws std::logic_error where the counts given were not the counts that came.
  void finish(const std::function<void(std::int64_t)>& advance = [](std::int64_t) {});

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t nonzeros() const { return nonzeros_; }

 private:
  PoolStaging& staging_;
  StagedArray<std::int64_t> row_offsets_;
  StagedArray<FeatureId> row_features_;
  StagedArray<float> row_values_;
  StagedArray<std::int64_t> column_offsets_;
  GroupedEntries columns_;
  std::vector<std::int64_t> offsets_;  // of one block, kept for its memory
  std::int64_t rows_ = 0;
  std::int64_t nonzeros_ = 0;
};

}  // namespace inkling
