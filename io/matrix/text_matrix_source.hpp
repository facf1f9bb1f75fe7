// Matrices in text, read line by line: svmlight and MatrixMarket.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/matrix/matrix_market_parser.hpp"
#include "io/matrix/matrix_source.hpp"
#include "io/source/entries.hpp"
#include "io/source/record_chunks.hpp"

namespace inkling {

/// Rows of all files, one after the other.
class SvmlightSource final : public MatrixSource {
 public:
  SvmlightSource(const std::vector<std::string>& paths, const MatrixSourceOptions& options);

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] RowOrder order() const override { return RowOrder::ascending; }
  [[nodiscard]] DeclaredShape shape() const override { return {{}, options_.features, {}}; }
  [[nodiscard]] std::optional<MatrixPiece> read() override;
  [[nodiscard]] std::uint64_t total_bytes() const override { return entries_.total_bytes(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return entries_.bytes_read(); }

 private:
  std::string name_;
  MatrixSourceOptions options_;
  Entries entries_;
  std::optional<RecordChunks> file_;
  std::shared_ptr<const std::string> origin_;
};

/// One file, whose header is read when the source is opened.
class MatrixMarketSource final : public MatrixSource {
 public:
  MatrixMarketSource(const std::vector<std::string>& paths, const MatrixSourceOptions& options);

  [[nodiscard]] std::string name() const override { return *origin_; }
  [[nodiscard]] RowOrder order() const override { return RowOrder::any; }
  [[nodiscard]] DeclaredShape shape() const override;
  [[nodiscard]] std::optional<MatrixPiece> read() override;
  [[nodiscard]] std::uint64_t total_bytes() const override { return entries_.total_bytes(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return entries_.bytes_read(); }

 private:
  void open_file();
  void read_header();
  [[nodiscard]] std::shared_ptr<Chunk> read_chunk();

  MatrixSourceOptions options_;
  Entries entries_;
  std::optional<RecordChunks> file_;
  std::shared_ptr<const std::string> origin_;
  std::shared_ptr<Chunk> first_;   // what was read with the header's end
  std::int64_t lines_before_ = 0;  // of the header, before that
  MatrixMarketHeader header_;
};

}  // namespace inkling
