// Writes the two layouts of a pool's matrix from blocks of rows, each sorted by row and by feature, in bounded memory.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/core/ids.hpp"
#include "io/corpus/pool/write/grouped_entries.hpp"
#include "io/corpus/pool/write/staged_file.hpp"

namespace inkling {

/// Consecutive rows of a matrix. Entries ascend by row; within a row features may have any order.
struct UnsortedBlock {
  static constexpr std::uint32_t most_rows = 1U << 16U;

  std::uint32_t rows = 0;
  std::vector<GroupedEntry> entries;  ///< key: the feature; member: the row within the block
};

/// A block ready to be written, once by row, features ascending in each, and once by column, rows ascending in each.
struct SortedBlock {
  std::vector<std::uint32_t> row_sizes;
  std::vector<FeatureId> features;
  std::vector<float> values;
  std::vector<GroupedEntry> by_feature;  ///< as in an unsorted block
};

/// Sorts by stable counting passes, without comparisons. Keeps its memory from block to block. Thread safety: one thread
/// at a time; the result does not depend on what was sorted before.
class BlockSorter {
 public:
  /// Sorts `block` into `sorted`, whose memory is used again. Throws FormatError, naming the row of the block, if a row
  /// holds a feature twice or a feature is not within [0, columns). Throws std::logic_error unless rows ascend within [0,
  /// block.rows).
  void sort(const UnsortedBlock& block, std::int32_t columns, SortedBlock& sorted);

 private:
  std::vector<GroupedEntry> spare_;
  std::vector<std::uint32_t> positions_;
};

/// The files indptr, indices, data and by_feature/* of a pool: rows as they come, columns at the end. Thread safety: one thread at a
/// time. Lifetime: the staging outlives it.
class MatrixFiles {
 public:
  using TakeColumns = std::function<void(const std::function<void(const EntryGroups&)>& consume)>;

  /// `feature_counts`: exactly how many rows hold each feature.
  MatrixFiles(PoolStaging& staging, std::span<const std::int64_t> feature_counts);

  /// The next rows; `append_columns()` runs beside it. Throws FormatError for more rows than a pool can have.
  void append(std::span<const std::uint32_t> row_sizes, std::span<const FeatureId> features, std::span<const float> values,
              const std::function<void()>& append_columns);

  /// Writes the columns that `take_columns(consume)` hands over, and closes all files; `advance(n)` receives how many non-zeros were
  /// written.
  void finish(const TakeColumns& take_columns, const std::function<void(std::int64_t)>& advance);

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t nonzeros() const { return nonzeros_; }

 private:
  PoolStaging& staging_;
  StagedArray<std::int64_t> row_offsets_;
  StagedArray<FeatureId> row_features_;
  StagedArray<float> row_values_;
  StagedArray<std::int64_t> column_offsets_;
  std::vector<std::int64_t> offsets_;  // of one block, kept for its memory
  std::int64_t rows_ = 0;
  std::int64_t nonzeros_ = 0;
};

/// Writes the matrix of a pool from sorted blocks in order.
/// Columns are formed at the end, one range of features at a time, so that memory stays within the limit
/// whatever the size of the matrix. The bytes written do not depend on limit or threads. Thread safety: one
/// thread at a time. Lifetime: the staging outlives it.
class MatrixWriter {
 public:
  /// `feature_counts`: exactly how many rows hold each feature. `memory`: bytes that it may use beside its blocks.
  MatrixWriter(PoolStaging& staging, const std::vector<std::int64_t>& feature_counts, std::uint64_t memory);

  /// Appends blocks in order of rows. Throws FormatError for more rows than a pool can have.
  void append(const SortedBlock& block);

  /// Writes by_feature/*, in parallel; `advance(n)` receives how many non-zeros were written. Closes all files.
  /// Throws std::logic_error if the entries that came were not as many as `feature_counts` says.
  void finish(const std::function<void(std::int64_t)>& advance = [](std::int64_t) {});

  [[nodiscard]] std::int64_t rows() const { return files_.rows(); }
  [[nodiscard]] std::int64_t nonzeros() const { return files_.nonzeros(); }

 private:
  MatrixFiles files_;
  GroupedEntries columns_;
};

/// Gathers rows, one after the other, into blocks of a matrix. Features of a row may come in any order. Thread safety:
/// one thread at a time. Lifetime: the writer outlives it.
class MatrixRows {
 public:
  MatrixRows(MatrixWriter& writer, std::int32_t columns) : writer_(writer), columns_(columns) {}

  /// Adds an entry to the current row, which the next `end_row` ends.
  void add(FeatureId feature, float value) { block_.entries.push_back({feature, static_cast<std::int32_t>(block_.rows), value}); }
  void end_row() {
    constexpr std::size_t most_entries = std::size_t{1} << 18U;
    if (++block_.rows == UnsortedBlock::most_rows || block_.entries.size() >= most_entries) flush();
  }
  /// To be called after the last row. Throws as BlockSorter and MatrixWriter do.
  void flush();

 private:
  MatrixWriter& writer_;
  std::int32_t columns_;
  UnsortedBlock block_;
  BlockSorter sorter_;
  SortedBlock sorted_;
};

}  // namespace inkling
