// Matrices in text, read line by line: svmlight and MatrixMarket.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/matrix/matrix_source.hpp"
#include "io/source/entries.hpp"
#include "io/source/record_chunks.hpp"
#include "io/source/record_parser.hpp"

namespace inkling {

/// What sources of text have in common: files, read in chunks of whole lines.
class TextMatrixSource : public MatrixSource {
 public:
  [[nodiscard]] std::uint64_t total_bytes() const override { return entries_.total_bytes(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return entries_.bytes_read(); }

 protected:
  TextMatrixSource(const std::vector<std::string>& paths, MatrixSourceOptions options);

  [[nodiscard]] const MatrixSourceOptions& options() const { return options_; }
  /// The name of the open file, for messages.
  [[nodiscard]] const std::shared_ptr<const std::string>& origin() const { return origin_; }

  /// False where there are no more files.
  [[nodiscard]] bool open_next_file();
  /// The next lines of the open file, or nothing at its end. Requires: a file was opened.
  [[nodiscard]] std::shared_ptr<Chunk> read_chunk();

 private:
  MatrixSourceOptions options_;
  Entries entries_;
  std::optional<RecordChunks> file_;
  std::shared_ptr<const std::string> origin_;
};

[[nodiscard]] std::unique_ptr<MatrixSource> open_svmlight(const std::vector<std::string>& paths,
                                                          const MatrixSourceOptions& options);
[[nodiscard]] std::unique_ptr<MatrixSource> open_matrix_market(const std::vector<std::string>& paths,
                                                               const MatrixSourceOptions& options);

/// Rows of svmlight and libsvm files: "LABEL INDEX:VALUE INDEX:VALUE # comment". The label is kept as it is written,
/// without a leading '+'; so "1,3" of multi-label files is one label. "qid:N" after it is passed over. A blank line
/// or one with only a comment is not a row; a label without entries is one. Entries may come in any order and are
/// sorted. An index that comes twice, is below the base or is not below the number of features is refused. Zeros are
/// left out and counted. Thread safety: pure.
[[nodiscard]] ChunkOutcome parse_svmlight(const Chunk& chunk, const MatrixSourceOptions& options,
                                          MatrixBatch& batch);

/// The header of a file in the exchange format MatrixMarket: a banner, comments, a line with the size. An entry a
/// line follows it.
struct MatrixMarketHeader {
  enum class Field { real, pattern };  ///< integer is read as real; an entry of a pattern is 1
  enum class Symmetry { general, symmetric, skew };

  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t entries = 0;  ///< lines; of a symmetric matrix those of one half
};

/// Takes the lines up to the size, one after the other.
class MatrixMarketHeaderParser {
 public:
  /// Requires: not done.
  [[nodiscard]] RecordVerdict take_line(std::string_view line);

  [[nodiscard]] bool done() const { return state_ == State::done; }
  [[nodiscard]] const MatrixMarketHeader& header() const { return header_; }

 private:
  enum class State { banner, size, done };

  [[nodiscard]] RecordVerdict take_banner(std::string_view line);
  [[nodiscard]] RecordVerdict take_size(std::string_view line);

  State state_ = State::banner;
  MatrixMarketHeader header_;
};

/// Entries of what follows `chunk.header_bytes`: "ROW COLUMN VALUE", both from 1, in any order. Blank lines
/// and comments are passed over. Thread safety: pure.
[[nodiscard]] ChunkOutcome parse_matrix_market(const Chunk& chunk, const MatrixMarketHeader& header,
                                               const MatrixSourceOptions& options, MatrixBatch& batch);

}  // namespace inkling
