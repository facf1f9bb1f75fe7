// What every source of ready-made matrices offers: pieces read one after the other, parsed side by side.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.hpp"
#include "io/corpus/from_text/counting_pass.hpp"
#include "io/corpus/source/document_source.hpp"

namespace inkling {

/// A value is kept as float32. It may be zero, with or without a sign; any other value must be a finite normal float32
/// (the smallest magnitude is 1.17549435e-38).
inline constexpr std::string_view kMatrixValueRule = "expected a finite decimal number within the range of float32";

/// Reads the value at the begin of the text into `value` and returns its end; nullptr if there is no value, or one that
/// breaks the rule: NaN, infinity, a leading '+'. Hexadecimal digits, decimal commas and the like end the number, so that
/// the caller finds them behind it and refuses them.
[[nodiscard]] const char* read_matrix_value(const char* begin, const char* end, float& value);

/// A number of another program's array as a value, or nothing if it breaks the rule.
[[nodiscard]] std::optional<float> matrix_value(double number);

/// One non-zero.
struct MatrixEntry {
  std::int32_t row;
  FeatureId feature;
  float value;

  bool operator==(const MatrixEntry&) const = default;
};

/// The result of parsing one piece.
struct MatrixBatch {
  std::vector<MatrixEntry> entries;  ///< no zeros
  /// The places of zeros, only if rows come in any order: so that a place that comes twice is found.
  std::vector<MatrixEntry> zero_places;
  std::int64_t rows = 0;     ///< how many whole rows, if rows come in order
  StringBatch labels;        ///< of those rows, if labels are kept
  std::int64_t records = 0;  ///< entries as the source counts them, zeros and bad ones included
  std::int64_t zeros = 0;    ///< zero entries, which are left out

  void clear() {
    entries.clear();
    zero_places.clear();
    rows = records = zeros = 0;
    labels.clear();
  }
};

/// The order in which the rows of a source come.
enum class RowOrder {
  /// Each batch holds whole rows, in order, the next ones after those of the batch before. Its entries ascend
  /// by row, counted from the batch's first, and within a row by feature, each once.
  ascending,
  any,  ///< entries name their row; a place that comes twice is an error, found when rows are formed
};

/// A piece of a source, not parsed yet. It owns what it needs, so it may be parsed by any thread.
struct MatrixPiece {
  std::shared_ptr<const std::string> origin;  ///< the source's name for messages
  /// Fills an empty batch. Problems of records are reported in the outcome, as with documents; those of arrays
  /// throw FormatError.
  std::function<ChunkOutcome(MatrixBatch&)> parse;
};

/// What a source says of its matrix before it is read. All of it is checked later.
struct DeclaredShape {
  std::optional<std::int64_t> rows;
  std::optional<std::int64_t> columns;
  std::optional<std::int64_t> records;
};

/// Failures of reading throw SystemError, and FormatError for broken headers and archives.
/// Thread safety: one thread at a time; pieces are independent of it.
class MatrixSource {
 public:
  MatrixSource() = default;
  virtual ~MatrixSource() = default;
  MatrixSource(const MatrixSource&) = delete;
  MatrixSource& operator=(const MatrixSource&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual RowOrder order() const = 0;
  /// Known from the beginning. If rows or columns are declared, no entry of a batch lies beyond them.
  [[nodiscard]] virtual DeclaredShape shape() const = 0;

  /// The next piece, or nothing at the end.
  [[nodiscard]] virtual std::optional<MatrixPiece> read() = 0;

  /// The same as in DocumentSource; any thread may call them.
  [[nodiscard]] virtual std::uint64_t total_bytes() const = 0;
  [[nodiscard]] virtual std::uint64_t bytes_read() const = 0;
  [[nodiscard]] virtual std::int64_t links_left_out() const { return 0; }
};

struct MatrixSourceOptions {
  std::string format = "svmlight";            ///< the name of a matrix format
  std::int64_t index_base = 1;                ///< svmlight: the number of the first feature, 0 or 1
  std::optional<std::int64_t> features = {};  ///< svmlight: how many there are; otherwise as many as seen
  ReadingOptions reading = {};
};

struct MatrixFormat {
  std::string_view name;                    ///< as `--format` takes it
  std::array<std::string_view, 3> endings;  ///< of names of files, without that of a compression
  bool takes_many_files;                    ///< the rows of all, one file after another
  std::unique_ptr<MatrixSource> (*open)(const std::vector<std::string>& paths, const MatrixSourceOptions& options);
};

[[nodiscard]] std::span<const MatrixFormat> matrix_formats();

/// Opens a matrix in the format that the options name. Text may be compressed. Throws FormatError for a second file if
/// the format takes only one. Requires: there is a format of that name, and at least one path.
[[nodiscard]] std::unique_ptr<MatrixSource> open_matrix_source(const std::vector<std::string>& paths,
                                                               const MatrixSourceOptions& options);

/// The totals of all pieces.
struct MatrixTotals {
  std::int64_t records = 0;
  std::int64_t zeros = 0;
  std::int64_t skipped = 0;
};

/// Calls `consume` for each batch, in order, from one thread at a time; at most `at_once` batches are in memory. Throws
/// the first failure in the order of the source, whatever the number of threads. Throws FormatError "FILE:LINE:COLUMN"
/// for bad records, and if there are not as many as the source declared.
MatrixTotals read_matrix(MatrixSource& source, std::size_t at_once, const std::function<void(const MatrixBatch&)>& consume);

}  // namespace inkling
