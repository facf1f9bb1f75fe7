#include "io/matrix/text_matrix_source.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/matrix/svmlight_parser.hpp"

namespace inkling {
namespace {

UnpackingLimits unpacking_limits(const MatrixSourceOptions& options) {
  return {.most_expansion = options.most_expansion, .most_unpacked_bytes = options.most_unpacked_bytes};
}

RecordLimits record_limits(const MatrixSourceOptions& options) {
  return {options.chunk_bytes, options.most_document_bytes};
}

}  // namespace

SvmlightSource::SvmlightSource(const std::vector<std::string>& paths, const MatrixSourceOptions& options)
    : name_(paths.empty() ? "no file" : paths.front()),
      options_(options),
      entries_(paths, unpacking_limits(options)) {}

std::optional<MatrixPiece> SvmlightSource::read() {
  const auto chunk = std::make_shared<Chunk>();
  for (;;) {
    if (!file_) {
      const std::optional<Entry> entry = entries_.next();
      if (!entry) return std::nullopt;
      origin_ = std::make_shared<const std::string>(entry->name());
      file_.emplace(*entry->stream, RecordEnd::every_line, record_limits(options_));
    }
    const bool more = file_->read(chunk->bytes, chunk->dropped_lines);
    entries_.note_progress();
    if (more) break;
    file_.reset();
  }
  return MatrixPiece{origin_, [chunk, options = options_](MatrixBatch& batch) {
                       return parse_svmlight(*chunk, options, batch);
                     }};
}

MatrixMarketSource::MatrixMarketSource(const std::vector<std::string>& paths,
                                       const MatrixSourceOptions& options)
    : options_(options), entries_(paths, unpacking_limits(options)) {
  origin_ = std::make_shared<const std::string>(paths.empty() ? "no file" : paths.front());
  open_file();
  read_header();
}

DeclaredShape MatrixMarketSource::shape() const { return {header_.rows, header_.columns, header_.entries}; }

std::optional<MatrixPiece> MatrixMarketSource::read() {
  std::shared_ptr<Chunk> chunk = first_ ? std::exchange(first_, nullptr) : read_chunk();
  if (!chunk) {
    if (const std::optional<Entry> second = entries_.next())
      throw FormatError(second->name(),
                        "expected one file for a matrix in MatrixMarket's format, found a second");
    return std::nullopt;
  }
  const std::int64_t lines_before = std::exchange(lines_before_, 0);
  return MatrixPiece{origin_, [chunk = std::move(chunk), header = header_, options = options_,
                               lines_before](MatrixBatch& batch) {
                       ChunkOutcome outcome = parse_matrix_market(*chunk, header, options, batch);
                       outcome.lines += lines_before;
                       if (outcome.problem) outcome.problem->line += lines_before;
                       return outcome;
                     }};
}

void MatrixMarketSource::open_file() {
  const std::optional<Entry> entry = entries_.next();
  if (!entry)
    throw FormatError(*origin_, "expected a file with a matrix in MatrixMarket's format, found none");
  origin_ = std::make_shared<const std::string>(entry->name());
  file_.emplace(*entry->stream, RecordEnd::every_line, record_limits(options_));
}

void MatrixMarketSource::read_header() {
  MatrixMarketHeaderParser parser;
  while (!parser.done()) {
    first_ = read_chunk();
    if (!first_) {
      throw FormatError(
          fmt::format("{}:{}:1", *origin_, lines_before_ + 1),
          "expected the banner and the size of a matrix in MatrixMarket's format, found the end");
    }
    const std::string_view bytes = first_->bytes.view();
    std::int64_t lines = 0;
    while (!parser.done() && first_->header_bytes < bytes.size()) {
      const std::string_view rest = bytes.substr(first_->header_bytes);
      const std::string_view line = rest.substr(0, first_record(rest, RecordEnd::every_line));
      first_->header_bytes += line.size();
      const std::string_view text = without_line_end(line);
      const RecordVerdict problem = text.size() > options_.most_document_bytes
                                        ? too_long_record(options_.most_document_bytes)
                                        : parser.take_line(text);
      if (problem) {
        throw FormatError(fmt::format("{}:{}:{}", *origin_, lines_before_ + lines + 1, problem->position + 1),
                          problem->expectation);
      }
      ++lines;
    }
    // Those of the last chunk are counted with its entries.
    if (!parser.done()) lines_before_ += lines;
  }
  header_ = parser.header();
}

std::shared_ptr<Chunk> MatrixMarketSource::read_chunk() {
  auto chunk = std::make_shared<Chunk>();
  const bool more = file_->read(chunk->bytes, chunk->dropped_lines);
  entries_.note_progress();
  return more ? chunk : nullptr;
}

}  // namespace inkling
