#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/file/strict_number.hpp"
#include "io/file/utf8.hpp"
#include "io/matrix/matrix_source.hpp"
#include "io/matrix/text_matrix.hpp"

namespace inkling {
namespace {

constexpr std::string_view kSpacesAndTabs = " \t";

// Takes the next word off the front of a text; empty where there is none.
std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpacesAndTabs), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kSpacesAndTabs));
  text.remove_prefix(word.size());
  return word;
}

bool is_nothing(std::string_view line) {
  return line.starts_with('%') || line.find_first_not_of(kSpacesAndTabs) == std::string_view::npos;
}

RecordProblem found_instead(std::string_view expectation, std::string_view text, std::size_t position = 0) {
  return {fmt::format("{}, found {}", expectation, quoted_text(text)), position};
}

std::string ascii_lower_case(std::string_view word) {
  std::string lower(word);
  for (char& letter : lower)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter + ('a' - 'A'));
  return lower;
}

// Reads the entries of a chunk, one line after the other.
class MarketEntryParser {
 public:
  MarketEntryParser(const MatrixMarketHeader& header, MatrixBatch& batch)
      : header_(&header), batch_(&batch) {}

  RecordVerdict parse(std::string_view line) {
    if (is_nothing(line)) return std::nullopt;
    ++batch_->records;
    begin_ = at_ = line.data();
    end_ = line.data() + line.size();
    MatrixEntry entry = {.row = 0, .feature = 0, .value = 1.0F};
    if (RecordVerdict problem = parse_index(header_->rows, "row", entry.row)) return problem;
    if (RecordVerdict problem = parse_index(header_->columns, "column", entry.feature)) return problem;
    if (RecordVerdict problem = parse_value(entry.value)) return problem;
    pass_spaces();
    if (at_ != end_) return found_instead("expected the end of the line", {at_, end_}, position());
    return keep(entry);
  }

 private:
  RecordVerdict parse_index(std::int64_t most, std::string_view what, std::int32_t& index) {
    pass_spaces();
    std::int64_t number = 0;
    const auto [stopped, error] = std::from_chars(at_, end_, number);
    const bool whole = error == std::errc() && (stopped == end_ || is_space(*stopped));
    if (!whole || number < 1 || number > most)
      return found_instead(fmt::format("expected a {} from 1 to {}", what, most), word(), position());
    index = static_cast<std::int32_t>(number - 1);
    at_ = stopped;
    return std::nullopt;
  }

  RecordVerdict parse_value(float& value) {
    if (header_->field == MatrixMarketHeader::Field::pattern) return std::nullopt;
    pass_spaces();
    const char* const stopped = read_matrix_value(at_, end_, value);
    if (stopped == nullptr || (stopped != end_ && !is_space(*stopped)))
      return found_instead(kMatrixValueRule, word(), position());
    at_ = stopped;
    return std::nullopt;
  }

  RecordVerdict keep(const MatrixEntry& entry) {
    const bool diagonal = entry.row == entry.feature;
    const bool skew = header_->symmetry == MatrixMarketHeader::Symmetry::skew;
    if (skew && diagonal)
      return RecordProblem{"expected no entry on the diagonal of a skew-symmetric matrix, found one"};
    if (entry.value == 0.0F) {
      ++batch_->zeros;
      return std::nullopt;
    }
    batch_->entries.push_back(entry);
    if (header_->symmetry != MatrixMarketHeader::Symmetry::general && !diagonal)
      batch_->entries.push_back({entry.feature, entry.row, skew ? -entry.value : entry.value});
    return std::nullopt;
  }

  static bool is_space(char character) { return character == ' ' || character == '\t'; }
  void pass_spaces() {
    while (at_ != end_ && is_space(*at_)) ++at_;
  }
  [[nodiscard]] std::string_view word() const { return {at_, std::find_if(at_, end_, is_space)}; }
  [[nodiscard]] std::size_t position() const { return static_cast<std::size_t>(at_ - begin_); }

  const MatrixMarketHeader* header_;
  MatrixBatch* batch_;
  const char* begin_ = nullptr;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
};

// One file, whose header is read when the source is opened.
class MatrixMarketSource final : public TextMatrixSource {
 public:
  MatrixMarketSource(const std::vector<std::string>& paths, const MatrixSourceOptions& options)
      : TextMatrixSource(paths, options) {
    if (!open_next_file())
      throw FormatError(*origin(), "expected a file with a matrix in MatrixMarket's format, found none");
    read_header();
  }

  [[nodiscard]] std::string name() const override { return *origin(); }
  [[nodiscard]] RowOrder order() const override { return RowOrder::any; }
  [[nodiscard]] DeclaredShape shape() const override {
    return {header_.rows, header_.columns, header_.entries};
  }

  [[nodiscard]] std::optional<MatrixPiece> read() override {
    std::shared_ptr<Chunk> chunk = first_ ? std::exchange(first_, nullptr) : read_chunk();
    if (!chunk) {
      if (open_next_file())
        throw FormatError(*origin(),
                          "expected one file for a matrix in MatrixMarket's format, found a second");
      return std::nullopt;
    }
    const std::int64_t lines_before = std::exchange(lines_before_, 0);
    return MatrixPiece{origin(), [chunk = std::move(chunk), header = header_, options = options(),
                                  lines_before](MatrixBatch& batch) {
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
      first_ = read_chunk();
      if (!first_)
        fail_at(0, 1, "expected the banner and the size of a matrix in MatrixMarket's format, found the end");
      const std::string_view bytes = first_->bytes.view();
      std::int64_t lines = 0;
      for (; !parser.done() && first_->header_bytes < bytes.size(); ++lines) {
        const std::string_view rest = bytes.substr(first_->header_bytes);
        const std::string_view line = rest.substr(0, first_record(rest, RecordEnd::every_line));
        first_->header_bytes += line.size();
        const std::string_view text = without_line_end(line);
        const std::uint64_t most = options().most_document_bytes;
        const RecordVerdict problem = text.size() > most ? too_long_record(most) : parser.take_line(text);
        if (problem) fail_at(lines, problem->position + 1, problem->expectation);
      }
      // The header's lines in the last chunk are counted together with its entries.
      if (!parser.done()) lines_before_ += lines;
    }
    header_ = parser.header();
  }

  // `line` counts from 0 in the first chunk that is not parsed yet.
  [[noreturn]] void fail_at(std::int64_t line, std::size_t column, const std::string& expectation) const {
    throw FormatError(fmt::format("{}:{}:{}", *origin(), lines_before_ + line + 1, column), expectation);
  }

  std::shared_ptr<Chunk> first_;   // what was read with the end of the header
  std::int64_t lines_before_ = 0;  // lines of the header before that chunk
  MatrixMarketHeader header_;
};

}  // namespace

RecordVerdict MatrixMarketHeaderParser::take_line(std::string_view line) {
  if (state_ == State::banner) return take_banner(line);
  return is_nothing(line) ? std::nullopt : take_size(line);
}

RecordVerdict MatrixMarketHeaderParser::take_banner(std::string_view line) {
  std::string_view rest = line;
  std::array<std::string, 5> words;
  for (std::string& word : words) word = ascii_lower_case(next_word(rest));
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
  state_ = State::size;
  return std::nullopt;
}

RecordVerdict MatrixMarketHeaderParser::take_size(std::string_view line) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  std::string_view rest = line;
  const std::optional<std::int64_t> rows = parse_integer(next_word(rest));
  const std::optional<std::int64_t> columns = parse_integer(next_word(rest));
  const std::optional<std::int64_t> entries = parse_integer(next_word(rest));
  const bool numbers = rows && columns && entries && *rows >= 0 && *columns >= 0 && *entries >= 0;
  if (!numbers || !next_word(rest).empty())
    return found_instead("expected the numbers of rows, columns and entries", line);
  if (*rows > most || *columns > most)
    return found_instead(fmt::format("expected at most {} rows and columns", most), line);
  if (*entries > *rows * *columns)
    return found_instead("expected at most one entry for each row and column", line);
  if (header_.symmetry != MatrixMarketHeader::Symmetry::general && *rows != *columns)
    return found_instead("expected as many rows as columns in a symmetric matrix", line);
  header_.rows = *rows;
  header_.columns = *columns;
  header_.entries = *entries;
  state_ = State::done;
  return std::nullopt;
}

ChunkOutcome parse_matrix_market(const Chunk& chunk, const MatrixMarketHeader& header,
                                 const MatrixSourceOptions& options, MatrixBatch& batch) {
  MarketEntryParser parser(header, batch);
  return parse_chunk(chunk, rules_of(options), [&](std::string_view line) { return parser.parse(line); });
}

std::unique_ptr<MatrixSource> open_matrix_market(const std::vector<std::string>& paths,
                                                 const MatrixSourceOptions& options) {
  return std::make_unique<MatrixMarketSource>(paths, options);
}

}  // namespace inkling
