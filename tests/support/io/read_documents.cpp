#include "tests/support/io/read_documents.hpp"

#include <fstream>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/corpus/source/record_parser.hpp"
#include "io/corpus/text/decoding.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

// Reads every byte that may be read, so that a sanitizer finds bytes that do not exist.
bool is_padded(std::string_view text) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < kTextPadding; ++i) sum += static_cast<unsigned char>(*(text.data() + text.size() + i));
  return sum < 256 * kTextPadding;
}

void check_document(const SourceDocument& document) {
  if (!is_padded(document.text)) FAIL("a text is not padded");
  for (const std::string_view text : {document.text, document.id, document.label, document.fields})
    if (valid_utf8_prefix(text) != text.size()) FAIL("a text is not UTF-8");
}

// The path of a file named "in" that holds these bytes until the next call. It is written without fsync,
// because tests write many.
std::string quickly_written(std::string_view bytes) {
  static const TemporaryFolder folder;
  std::string path = folder.file("in");
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  REQUIRE(file.flush().good());
  return path;
}

// Removes the path of the temporary folder from messages.
void shorten(std::string& problem, const std::string& path) {
  const std::size_t folder = path.rfind('/') + 1;
  if (problem.starts_with(path.substr(0, folder))) problem.erase(0, folder);
}

void read_all(const std::unique_ptr<DocumentSource>& source, ReadDocuments& result) {
  OutcomeCheck outcomes;
  for (Chunk chunk; source->read(chunk);) {
    const ChunkOutcome outcome = source->parse(chunk, [&](const SourceDocument& document) {
      check_document(document);
      result.documents.push_back({std::string(document.text), std::string(document.id), std::string(document.label),
                                  document.title_bytes, std::string(document.fields)});
    });
    result.skipped += outcome.skipped;
    result.bad_bytes += outcome.bad_bytes;
    outcomes.take(chunk.origin, outcome);
  }
  result.remarks = outcomes.take_remarks();
  CHECK(source->bytes_read() == source->total_bytes());
}

template <typename Open>
ReadDocuments read_by(const Open& open) {
  ReadDocuments result;
  try {
    read_all(open(), result);
  } catch (const FormatError& error) {
    result.problem = error.what();
  }
  return result;
}

}  // namespace

std::vector<std::string> ReadDocuments::texts() const {
  std::vector<std::string> result;
  result.reserve(documents.size());
  for (const ReadDocument& document : documents) result.push_back(document.text);
  return result;
}

ReadDocuments read_documents(const std::vector<std::string>& paths, const SourceOptions& options) {
  return read_by([&] { return open_source(paths, options); });
}

ReadDocuments read_pieces(const std::vector<FilePiece>& pieces, const SourceOptions& options) {
  return read_by([&] { return open_pieces(pieces, options); });
}

ReadDocuments documents_in(std::string_view bytes, const SourceOptions& options) {
  const std::string path = quickly_written(bytes);
  ReadDocuments result = read_documents({path}, options);
  shorten(result.problem, path);
  for (std::string& remark : result.remarks) shorten(remark, path);
  return result;
}

std::string left_out(const std::string& problem) {
  const std::size_t column = problem.find(':', problem.find(':') + 1);
  return problem.substr(0, column) + ": left out" + problem.substr(problem.find(':', column + 1));
}

ReadMatrix read_matrix_file(const std::string& path, const MatrixSourceOptions& options) {
  ReadMatrix result;
  try {
    const std::unique_ptr<MatrixSource> source = open_matrix_source({path}, options);
    constexpr std::size_t at_once = 3;
    const MatrixTotals totals = read_matrix(*source, at_once, [&](const MatrixBatch& batch) {
      for (MatrixEntry entry : batch.entries) {
        entry.row += static_cast<std::int32_t>(result.rows);
        result.entries.push_back(entry);
      }
      for (std::size_t n = 0; n < batch.labels.size(); ++n) result.labels.emplace_back(batch.labels[n]);
      result.rows += batch.rows;
    });
    result.zeros = totals.zeros;
    result.skipped = totals.skipped;
  } catch (const FormatError& error) {
    result.problem = error.what();
  }
  return result;
}

ReadMatrix matrix_in(std::string_view bytes, const MatrixSourceOptions& options) {
  const std::string path = quickly_written(bytes);
  ReadMatrix result = read_matrix_file(path, options);
  shorten(result.problem, path);
  return result;
}

}  // namespace inkling::test
