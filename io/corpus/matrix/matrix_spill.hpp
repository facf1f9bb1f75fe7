// The first pass of an import: all entries of a matrix are counted and written to a temporary file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/ids.hpp"
#include "io/corpus/from_text/counting_pass.hpp"
#include "io/corpus/matrix/matrix_import.hpp"
#include "io/corpus/matrix/matrix_source.hpp"
#include "io/corpus/pool/write/matrix_writer.hpp"
#include "io/corpus/pool/write/staged_file.hpp"

namespace inkling {

/// Thread safety: one thread appends at a time; any thread reads. Lifetime: staging, source and options outlive it.
class MatrixSpill {
 public:
  /// A batch in the file; if rows come in any order, its zeros come last. Segments follow one another.
  struct Segment {
    std::uint64_t position;
    std::uint64_t entries;
    std::int64_t rows;  ///< if rows come in order
  };

  /// `columns`: the exact number; if nothing, it follows from the entries.
  MatrixSpill(const PoolStaging& staging, const MatrixSource& source, const ImportOptions& options,
              std::optional<std::int64_t> columns);

  /// Throws FormatError if there are too many rows or columns for the memory.
  void append(const MatrixBatch& batch);
  /// To be called after the last batch: adds the empty rows and columns that were declared.
  void finish();

  [[nodiscard]] const MatrixSource& source() const { return source_; }
  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t nonzeros() const { return nonzeros_; }
  [[nodiscard]] const std::vector<Segment>& segments() const { return segments_; }
  /// How many non-zeros each column has and, if rows come in any order, how many entries each row has, zeros included.
  [[nodiscard]] const std::vector<std::int64_t>& column_counts() const { return column_counts_; }
  [[nodiscard]] const std::vector<std::int64_t>& row_counts() const { return row_counts_; }

  [[nodiscard]] std::vector<MatrixEntry> read(const Segment& segment) const;
  /// Releases the disk space of a segment that will not be read again.
  void release(const Segment& segment) const noexcept;

  void write_labels(PoolStaging& staging) const;

 private:
  void count_columns(const MatrixBatch& batch);
  void count_rows(const std::vector<MatrixEntry>& entries);
  void grow(std::vector<std::int64_t>& counts, std::int64_t size, const char* what) const;
  void append_labels(const MatrixBatch& batch);

  const MatrixSource& source_;
  const RowOrder order_;
  const ImportOptions& options_;
  const std::optional<std::int64_t> columns_;
  ScratchFile entries_;
  LabelColumn labels_;
  std::vector<Segment> segments_;
  std::vector<std::int64_t> column_counts_;
  std::vector<std::int64_t> row_counts_;
  std::int64_t rows_ = 0;
  std::int64_t nonzeros_ = 0;
};

struct RowPass {
  std::int32_t columns = 0;
  /// The feature that each column becomes; if empty, every column keeps its number.
  std::span<const FeatureId> feature_of_column = {};
  std::uint64_t memory = 0;
  std::function<void(std::uint64_t)> advance = [](std::uint64_t) {};  ///< receives the entries written
};

/// Writes in parallel if the rows come in order; otherwise groups entries by row first. Throws FormatError, naming row
/// and column, if a place comes twice. The result does not depend on memory or threads.
void write_rows(const MatrixSpill& spill, const PoolStaging& staging, const RowPass& pass, MatrixWriter& writer);

}  // namespace inkling
