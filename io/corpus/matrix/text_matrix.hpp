// Matrices in text, read line by line: svmlight and MatrixMarket.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "io/base/file/utf8.hpp"
#include "io/corpus/matrix/matrix_source.hpp"
#include "io/corpus/source/record_parser.hpp"

namespace inkling {

/// Visits the words of one line, which spaces and tabs separate.
class LineCursor {
 public:
  LineCursor() = default;
  explicit LineCursor(std::string_view line) : begin_(line.data()), at_(begin_), end_(begin_ + line.size()) { pass_spaces(); }

  [[nodiscard]] const char* at() const { return at_; }
  [[nodiscard]] const char* end() const { return end_; }
  [[nodiscard]] bool done() const { return at_ == end_; }
  [[nodiscard]] bool ends_word(const char* at) const { return at == end_ || is_space(*at); }
  /// In bytes from the beginning of the line.
  [[nodiscard]] std::size_t position() const { return static_cast<std::size_t>(at_ - begin_); }
  [[nodiscard]] std::string_view word() const { return {at_, std::find_if(at_, end_, is_space)}; }
  [[nodiscard]] std::string_view rest() const { return {at_, end_}; }

  void move_to(const char* at) { at_ = at; }
  void pass_spaces() {
    while (at_ != end_ && is_space(*at_)) ++at_;
  }
  /// Takes the next word; empty where there is none.
  std::string_view take_word() {
    const std::string_view taken = word();
    at_ += taken.size();
    pass_spaces();
    return taken;
  }

  [[nodiscard]] RecordProblem found(std::string_view expectation, std::string_view text) const {
    return {fmt::format("{}, found {}", expectation, quoted_text(text)), position()};
  }

 private:
  static bool is_space(char character) { return character == ' ' || character == '\t'; }

  const char* begin_ = nullptr;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
};

/// What all matrices in text have in common: files that are read in chunks of whole lines.
class TextMatrixSource : public MatrixSource {
 public:
  [[nodiscard]] std::uint64_t total_bytes() const override { return lines_->total_bytes(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return lines_->bytes_read(); }
  [[nodiscard]] std::int64_t links_left_out() const override { return lines_->links_left_out(); }

 protected:
  TextMatrixSource(const std::vector<std::string>& paths, const MatrixSourceOptions& options)
      : options_(options), lines_(open_source(paths, {.format = "lines", .reading = options.reading})) {}

  [[nodiscard]] const MatrixSourceOptions& options() const { return options_; }

  /// The next lines of one file, or nothing at the end of all.
  [[nodiscard]] std::shared_ptr<Chunk> read_chunk() {
    auto chunk = std::make_shared<Chunk>();
    return lines_->read(*chunk) ? chunk : nullptr;
  }

 private:
  MatrixSourceOptions options_;
  std::unique_ptr<DocumentSource> lines_;
};

[[nodiscard]] std::unique_ptr<MatrixSource> open_svmlight(const std::vector<std::string>& paths,
                                                          const MatrixSourceOptions& options);
[[nodiscard]] std::unique_ptr<MatrixSource> open_matrix_market(const std::vector<std::string>& paths,
                                                               const MatrixSourceOptions& options);

/// Rows of svmlight and libsvm files: "LABEL INDEX:VALUE INDEX:VALUE # comment". The label is kept as it is written,
/// without a leading '+'; so "1,3" of multi-label files is one label. "qid:N" after it is passed over. A blank line or a
/// line with only a comment is not a row; a label without entries is a row. Entries may come in any order and are sorted.
/// An index that comes twice, is below the base or is not below the number of features is refused. Zeros are left out and
/// counted. Thread safety: pure.
[[nodiscard]] ChunkOutcome parse_svmlight(const Chunk& chunk, const MatrixSourceOptions& options, MatrixBatch& batch);

/// The header of a file in the exchange format MatrixMarket: a banner, comments, a line with the size. An entry a
/// line follows it.
struct MatrixMarketHeader {
  enum class Field { real, pattern };  ///< integer is read as real; an entry of a pattern is 1
  enum class Symmetry { general, symmetric, skew };

  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t entries = 0;  ///< how many lines; a symmetric matrix has only one half of its entries
};

/// Takes the lines up to the size, one after the other.
class MatrixMarketHeaderParser {
 public:
  /// Requires: not done.
  [[nodiscard]] RecordVerdict take_line(std::string_view line);

  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] const MatrixMarketHeader& header() const { return header_; }

 private:
  [[nodiscard]] RecordVerdict take_banner(std::string_view line);
  [[nodiscard]] RecordVerdict take_size(std::string_view line);

  bool has_banner_ = false;
  bool done_ = false;
  MatrixMarketHeader header_;
};

/// Entries of what follows `chunk.header_bytes`: "ROW COLUMN VALUE", both from 1, in any order. Blank lines
/// and comments are passed over. Thread safety: pure.
[[nodiscard]] ChunkOutcome parse_matrix_market(const Chunk& chunk, const MatrixMarketHeader& header,
                                               const MatrixSourceOptions& options, MatrixBatch& batch);

}  // namespace inkling
