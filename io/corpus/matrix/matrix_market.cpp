#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/matrix/matrix_source.hpp"
#include "io/corpus/matrix/text_matrix.hpp"

namespace inkling {
namespace {

bool is_nothing(std::string_view line) { return line.starts_with('%') || LineCursor(line).done(); }

RecordProblem found_instead(std::string_view expectation, std::string_view text) {
  return {fmt::format("{}, found {}", expectation, quoted_text(text))};
}

// Reads the entries of a chunk, one line after the other.
class MarketEntryParser {
 public:
  MarketEntryParser(const MatrixMarketHeader& header, MatrixBatch& batch) : header_(&header), batch_(&batch) {}

  RecordVerdict parse(std::string_view line) {
    if (is_nothing(line)) return std::nullopt;
    ++batch_->records;
    line_ = LineCursor(line);
    MatrixEntry entry = {.row = 0, .feature = 0, .value = 1.0F};
    if (RecordVerdict problem = parse_index(header_->rows, "row", entry.row)) return problem;
    if (RecordVerdict problem = parse_index(header_->columns, "column", entry.feature)) return problem;
    if (RecordVerdict problem = parse_value(entry.value)) return problem;
    if (!line_.done()) return line_.found("expected the end of the line", line_.rest());
    return keep(entry);
  }

 private:
  RecordVerdict parse_index(std::int64_t most, std::string_view what, std::int32_t& index) {
    std::int64_t number = 0;
    const auto [stopped, error] = std::from_chars(line_.at(), line_.end(), number);
    if (error != std::errc() || !line_.ends_word(stopped) || number < 1 || number > most)
      return line_.found(fmt::format("expected a {} from 1 to {}", what, most), line_.word());
    index = static_cast<std::int32_t>(number - 1);
    line_.take_word();
    return std::nullopt;
  }

  RecordVerdict parse_value(float& value) {
    if (header_->field == MatrixMarketHeader::Field::pattern) return std::nullopt;
    const char* const stopped = read_matrix_value(line_.at(), line_.end(), value);
    if (stopped == nullptr || !line_.ends_word(stopped)) return line_.found(kMatrixValueRule, line_.word());
    line_.take_word();
    return std::nullopt;
  }

  RecordVerdict keep(const MatrixEntry& entry) {
    const bool diagonal = entry.row == entry.feature;
    const bool skew = header_->symmetry == MatrixMarketHeader::Symmetry::skew;
    if (skew && diagonal) return RecordProblem{"expected no entry on the diagonal of a skew-symmetric matrix, found one"};
    const bool is_zero = entry.value == 0.0F;
    if (is_zero) ++batch_->zeros;
    std::vector<MatrixEntry>& places = is_zero ? batch_->zero_places : batch_->entries;
    places.push_back(entry);
    if (header_->symmetry != MatrixMarketHeader::Symmetry::general && !diagonal)
      places.push_back({entry.feature, entry.row, skew ? -entry.value : entry.value});
    return std::nullopt;
  }

  const MatrixMarketHeader* header_;
  MatrixBatch* batch_;
  LineCursor line_;
};

// One file, whose header is read when the source is opened.
class MatrixMarketSource final : public TextMatrixSource {
 public:
  MatrixMarketSource(const std::vector<std::string>& paths, const MatrixSourceOptions& options)
      : TextMatrixSource(paths, options), origin_(std::make_shared<const std::string>(paths.front())) {
    read_header();
  }

  [[nodiscard]] std::string name() const override { return *origin_; }
  [[nodiscard]] RowOrder order() const override { return RowOrder::any; }
  [[nodiscard]] DeclaredShape shape() const override { return {header_.rows, header_.columns, header_.entries}; }

  [[nodiscard]] std::optional<MatrixPiece> read() override {
    std::shared_ptr<Chunk> chunk = first_ ? std::exchange(first_, nullptr) : read_chunk();
    if (!chunk) return std::nullopt;
    if (chunk->origin != origin_)
      throw FormatError(*chunk->origin, "expected one file for a matrix in MatrixMarket's format, found a second");
    const std::int64_t lines_before = std::exchange(lines_before_, 0);
    return MatrixPiece{origin_,
                       [chunk = std::move(chunk), header = header_, options = options(), lines_before](MatrixBatch& batch) {
                         ChunkOutcome outcome = parse_matrix_market(*chunk, header, options, batch);
                         outcome.lines += lines_before;
                         if (outcome.problem) outcome.problem->line += lines_before;
                         return outcome;
                       }};
  }

 private:
  void read_header() {
    MatrixMarketHeaderParser parser;
    while (!parser.done()) {
      const bool at_beginning = !first_;
      first_ = read_chunk();
      if (first_ && at_beginning) origin_ = first_->origin;
      if (!first_ || first_->origin != origin_)
        fail_at(0, 1, "expected the banner and the size of a matrix in MatrixMarket's format, found the end");
      const std::string_view bytes = first_->bytes.view();
      std::int64_t lines = 0;
      for (; !parser.done() && first_->header_bytes < bytes.size(); ++lines) {
        const std::string_view rest = bytes.substr(first_->header_bytes);
        const std::string_view line = rest.substr(0, first_record(rest, RecordEnd::every_line));
        first_->header_bytes += line.size();
        const std::string_view text = without_line_end(line);
        const std::uint64_t most = options().reading.most_document_bytes;
        const RecordVerdict problem = text.size() > most ? too_long_record(options().reading) : parser.take_line(text);
        if (problem) fail_at(lines, problem->position + 1, problem->expectation);
      }
      // The lines of the header in the last chunk are counted with its entries.
      if (!parser.done()) lines_before_ += lines;
    }
    header_ = parser.header();
  }

  // `line` counts from 0 in the first chunk that is not parsed yet.
  [[noreturn]] void fail_at(std::int64_t line, std::size_t column, const std::string& expectation) const {
    throw FormatError(fmt::format("{}:{}:{}", *origin_, lines_before_ + line + 1, column), expectation);
  }

  std::shared_ptr<const std::string> origin_;  // the name of the file, for messages
  std::shared_ptr<Chunk> first_;               // what was read with the end of the header
  std::int64_t lines_before_ = 0;              // lines of the header before that chunk
  MatrixMarketHeader header_;
};

}  // namespace

RecordVerdict MatrixMarketHeaderParser::take_line(std::string_view line) {
  if (!has_banner_) return take_banner(line);
  return is_nothing(line) ? std::nullopt : take_size(line);
}

RecordVerdict MatrixMarketHeaderParser::take_banner(std::string_view line) {
  LineCursor rest(line);
  std::array<std::string, 5> words;
  for (std::string& word : words) word = ascii_lower_case(rest.take_word());
  if (words[0] != "%%matrixmarket" || words[1] != "matrix")
    return found_instead("expected \"%%MatrixMarket matrix coordinate ...\"", line);
  if (words[2] != "coordinate") return found_instead("expected the format \"coordinate\"", words[2]);
  if (words[3] != "real" && words[3] != "integer" && words[3] != "pattern")
    return found_instead(R"(expected the field "real", "integer" or "pattern")", words[3]);
  if (words[4] != "general" && words[4] != "symmetric" && words[4] != "skew-symmetric")
    return found_instead(R"(expected the symmetry "general", "symmetric" or "skew-symmetric")", words[4]);
  if (words[3] == "pattern") header_.field = MatrixMarketHeader::Field::pattern;
  if (words[4] == "symmetric") header_.symmetry = MatrixMarketHeader::Symmetry::symmetric;
  if (words[4] == "skew-symmetric") header_.symmetry = MatrixMarketHeader::Symmetry::skew;
  has_banner_ = true;
  return std::nullopt;
}

RecordVerdict MatrixMarketHeaderParser::take_size(std::string_view line) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  LineCursor rest(line);
  const std::optional<std::int64_t> rows = parse_integer(rest.take_word());
  const std::optional<std::int64_t> columns = parse_integer(rest.take_word());
  const std::optional<std::int64_t> entries = parse_integer(rest.take_word());
  const bool numbers = rows && columns && entries && *rows >= 0 && *columns >= 0 && *entries >= 0;
  if (!numbers || !rest.done()) return found_instead("expected the numbers of rows, columns and entries", line);
  if (*rows > most || *columns > most) return found_instead(fmt::format("expected at most {} rows and columns", most), line);
  if (*entries > *rows * *columns) return found_instead("expected at most one entry for each row and column", line);
  if (header_.symmetry != MatrixMarketHeader::Symmetry::general && *rows != *columns)
    return found_instead("expected as many rows as columns in a symmetric matrix", line);
  header_.rows = *rows;
  header_.columns = *columns;
  header_.entries = *entries;
  done_ = true;
  return std::nullopt;
}

ChunkOutcome parse_matrix_market(const Chunk& chunk, const MatrixMarketHeader& header, const MatrixSourceOptions& options,
                                 MatrixBatch& batch) {
  MarketEntryParser parser(header, batch);
  return parse_chunk(chunk, RecordEnd::every_line, options.reading, [&](std::string_view line) { return parser.parse(line); });
}

std::unique_ptr<MatrixSource> open_matrix_market(const std::vector<std::string>& paths, const MatrixSourceOptions& options) {
  return std::make_unique<MatrixMarketSource>(paths, options);
}

}  // namespace inkling
