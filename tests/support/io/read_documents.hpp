// Reads sources to their end, as a builder does, and keeps what they gave.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/matrix/matrix_source.hpp"
#include "io/corpus/source/document_source.hpp"

namespace inkling::test {

struct ReadDocument {
  std::string text;
  std::string id = {};
  std::string label = {};
  std::size_t title_bytes = 0;
  std::string fields = {};

  bool operator==(const ReadDocument&) const = default;
};

struct ReadDocuments {
  std::vector<ReadDocument> documents;
  std::int64_t skipped = 0;
  std::int64_t bad_bytes = 0;
  std::string problem;  ///< "FILE:LINE:COLUMN: expected ...", or empty; FormatErrors too
  std::vector<std::string> remarks = {};

  bool operator==(const ReadDocuments&) const = default;
  [[nodiscard]] std::vector<std::string> texts() const;
};

/// Reads the documents, and checks that every text is padded and valid UTF-8.
[[nodiscard]] ReadDocuments read_documents(const std::vector<std::string>& paths, const SourceOptions& options);

/// The same of these files and parts of files.
[[nodiscard]] ReadDocuments read_pieces(const std::vector<FilePiece>& pieces, const SourceOptions& options);

/// The documents of a file that holds `bytes`.
[[nodiscard]] ReadDocuments documents_in(std::string_view bytes, const SourceOptions& options);

/// "in:3:1: expected ..." as the remark on a record that is left out: "in:3: left out: expected ...".
[[nodiscard]] std::string left_out(const std::string& problem);

struct ReadMatrix {
  std::vector<MatrixEntry> entries;  ///< rows counted from the first of the matrix
  std::vector<std::string> labels;
  std::int64_t rows = 0;  ///< if they come in order
  std::int64_t zeros = 0;
  std::int64_t skipped = 0;
  std::string problem;

  bool operator==(const ReadMatrix&) const = default;
};

[[nodiscard]] ReadMatrix read_matrix_file(const std::string& path, const MatrixSourceOptions& options);
[[nodiscard]] ReadMatrix matrix_in(std::string_view bytes, const MatrixSourceOptions& options);

}  // namespace inkling::test
