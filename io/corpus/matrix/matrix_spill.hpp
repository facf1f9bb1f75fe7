// The first pass of an import: everything a matrix says goes to a temporary file and is counted on the way.
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
  /// A batch as it lies in the file, its zeros last where rows come in any order. They lie one after the other.
  struct Segment {
    std::uint64_t position;
    std::uint64_t entries;
    std::int64_t rows;  ///< where rows come in order
  };

  /// `columns`: the exact number; nothing where it is what the entries show.
  MatrixSpill(const PoolStaging& staging, const MatrixSource& source, const ImportOptions& options,
              std::optional<std::int64_t> columns);

  /// Throws FormatError where rows or columns are too many for the memory.
  void append(const MatrixBatch& batch);
  /// After the last batch: brings rows and columns to the numbers that were declared.
  void finish();

  [[nodiscard]] const MatrixSource& source() const { return source_; }
  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t nonzeros() const { return nonzeros_; }
  [[nodiscard]] const std::vector<Segment>& segments() const { return segments_; }
  /// How many non-zeros each column has, and how many entries, zeros too, each row where rows come in any order.
  [[nodiscard]] const std::vector<std::int64_t>& column_counts() const { return column_counts_; }
  [[nodiscard]] const std::vector<std::int64_t>& row_counts() const { return row_counts_; }

  [[nodiscard]] std::vector<MatrixEntry> read(const Segment& segment) const;
  /// Gives the disk back what will not be read again.
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
  /// The feature that each column becomes; every column its own number where it is empty.
  std::span<const FeatureId> feature_of_column = {};
  std::uint64_t memory = 0;
  std::function<void(std::uint64_t)> advance = [](std::uint64_t) {};  ///< told of entries written
};

/// In parallel where the rows come in order; otherwise rows are grouped first. Throws FormatError, naming row
/// and column, where a place comes twice. The result does not depend on memory or threads.
void write_rows(const MatrixSpill& spill, const PoolStaging& staging, const RowPass& pass,
                MatrixWriter& writer);

}  // namespace inkling
