#include "io/matrix/matrix_market_parser.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "io/file/strict_number.hpp"
#include "io/matrix/matrix_value.hpp"
#include "io/source/quoted_text.hpp"

namespace inkling {
namespace {

constexpr std::string_view spaces_and_tabs = " \t";

// Takes the next word off the front of a text; empty where there is none.
std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(spaces_and_tabs), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(spaces_and_tabs));
  text.remove_prefix(word.size());
  return word;
}

bool is_nothing(std::string_view line) {
  return line.starts_with('%') || line.find_first_not_of(spaces_and_tabs) == std::string_view::npos;
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
class EntryParser {
 public:
  EntryParser(const MatrixMarketHeader& header, MatrixBatch& batch) : header_(&header), batch_(&batch) {}

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
      return found_instead(matrix_value_rule, word(), position());
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
  const std::string_view bytes = chunk.bytes.view();
  ChunkOutcome outcome;
  outcome.lines = std::ranges::count(bytes.substr(0, chunk.header_bytes), '\n');
  EntryParser parser(header, batch);
  const RecordRules rules = {.most_bytes = options.most_document_bytes, .skip_bad = options.skip_bad};
  parse_records(bytes.substr(chunk.header_bytes), rules, outcome,
                [&](std::string_view line) { return parser.parse(line); });
  outcome.lines += chunk.dropped_lines;
  return outcome;
}

}  // namespace inkling
