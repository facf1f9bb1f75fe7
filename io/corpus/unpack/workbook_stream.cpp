#include "io/corpus/unpack/workbook_stream.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/csv_cell.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/unpack/workbook_writer.hpp"

namespace inkling {
namespace {

using Event = XmlReader::Event;

constexpr std::size_t kMostColumns = 16384;  // ECMA-376: XFD
constexpr std::size_t kBytesOfPart = 128;    // of a sheet, a style or a format of numbers, beside its text

// Whether a format of numbers shows a day or a time: it has a letter for one outside quotes and brackets.
bool shows_time(std::string_view format) {
  char closing = '\0';
  for (std::size_t at = 0; at < format.size(); ++at) {
    const char next = format[at];
    if (closing != '\0') {
      if (next == closing) closing = '\0';
    } else if (next == '"') {
      closing = '"';
    } else if (next == '[') {
      closing = ']';
    } else if (next == '\\' || next == '_' || next == '*') {
      ++at;
    } else if (std::string_view("yYmMdDhHsS").find(next) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

// The same for the predefined formats (ECMA-376, 18.8.30).
bool shows_time_by_number(std::uint64_t format) {
  return (format >= 14 && format <= 22) || (format >= 27 && format <= 36) || (format >= 45 && format <= 47) ||
         (format >= 50 && format <= 58);
}

// The date that is `days` days after 1970-01-01. The calendar repeats every 400 years.
std::string iso_day(std::int64_t days) {
  const std::int64_t shifted = days + 719468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const std::int64_t of_era = shifted - era * 146097;
  const std::int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const std::int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month = (5 * of_year + 2) / 153;
  const std::int64_t day = of_year - (153 * month + 2) / 5 + 1;
  const std::int64_t year = year_of_era + era * 400 + (month >= 10 ? 1 : 0);
  return fmt::format("{:04}-{:02}-{:02}", year, month < 10 ? month + 3 : month - 9, day);
}

// Numbers count days since 1899-12-31, as if there had been a 1900-02-29; or days since 1904-01-01 (ECMA-376, 18.17.4).
std::string iso_time(double serial, bool since_1904) {
  constexpr double seconds_a_day = 86400.0;
  const double whole = std::floor(serial);
  const auto seconds = static_cast<std::int64_t>(std::llround((serial - whole) * seconds_a_day));
  constexpr std::int64_t day_1904 = -24107;
  constexpr std::int64_t day_1899 = -25568;
  constexpr double leap_day = 60.0;
  std::int64_t days = static_cast<std::int64_t>(whole) + (since_1904 ? day_1904 : day_1899 - (whole > leap_day ? 1 : 0));
  if (seconds == 86400) ++days;
  const std::int64_t rest = seconds % 86400;
  std::string time = fmt::format("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
  if (whole == 0.0 && !since_1904) return time;
  std::string day = whole == leap_day && !since_1904 ? "1900-02-29" : iso_day(days);
  return rest == 0 ? day : day + "T" + time;
}

// The number of the column in which a cell is that is named as "C7", from 1; 0 if it has no name.
std::size_t column_of(std::string_view cell) {
  std::size_t column = 0;
  for (const char letter : cell) {
    if (letter < 'A' || letter > 'Z' || column > kMostColumns) break;
    column = column * 26 + static_cast<std::size_t>(letter - 'A') + 1;
  }
  return column;
}

std::uint64_t number_or_zero(std::string_view digits) {
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

// Replaces "_x000D_" and the like, which are characters that XML cannot hold (ECMA-376, 22.9.2.19).
std::string with_escapes(std::string_view text) {
  constexpr std::size_t size = 7;
  std::string out;
  for (;;) {
    const std::size_t at = std::min(text.find("_x"), text.size());
    out += text.substr(0, at);
    text.remove_prefix(at);
    if (text.empty()) return out;
    unsigned point = 0;
    const bool is_whole = text.size() >= size && text[size - 1] == '_';
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + (is_whole ? size - 1 : 2), point, 16);
    if (!is_whole || error != std::errc() || end != text.data() + size - 1 || (point >= 0xD800 && point < 0xE000)) {
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    if (point == 0)
      out += '\0';
    else
      append_character(point, out);
    text.remove_prefix(size);
  }
}

}  // namespace

// What cells refer to.
struct WorkbookStream::Book {
  std::string strings;
  std::vector<std::size_t> ends;  // of each string in `strings`
  std::vector<bool> is_time;      // by style of cells
  bool since_1904 = false;
  std::string sheet;  // its path in the archive

  [[nodiscard]] std::string_view string(std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : ends[index - 1];
    return std::string_view(strings).substr(begin, ends[index] - begin);
  }
};

// One walk over the files of the archive.
struct WorkbookStream::Pass {
  Pass(const std::string& path, const UnpackingLimits& limits)
      : file(path), reader(Packing::archive, file, file, limits, unpacked) {}

  FileStream file;
  std::uint64_t unpacked = 0;
  ArchiveReader reader;
  std::uint64_t written = 0;
};

WorkbookStream::WorkbookStream(const std::string& path, const UnpackingLimits& limits)
    : path_(path),
      limits_(limits),
      budget_(budget_of_unpacking(limits, path, "save it as CSV")),
      book_(std::make_unique<Book>()) {
  read_parts();
  open_sheet();
}

WorkbookStream::~WorkbookStream() = default;

void WorkbookStream::refuse(const std::string& expectation) const {
  throw FormatError(fmt::format("{}:{}:{}", path_, row_, column_ + 1), expectation);
}

void WorkbookStream::read_parts() {
  std::map<std::string, std::string> targets;
  std::string first;
  std::set<std::uint64_t> time_formats;
  std::vector<std::uint64_t> formats;
  Pass pass(path_, limits_);
  for (std::string part; pass.reader.next_file(part);) {
    const bool book = part == "xl/workbook.xml";
    const bool links = part == "xl/_rels/workbook.xml.rels";
    const bool styles = part == "xl/styles.xml";
    const bool strings = part == "xl/sharedStrings.xml";
    if (!book && !links && !styles && !strings) continue;
    budget_.go_to(path_ + "/" + part);
    XmlReader xml(pass.reader, path_ + "/" + part, budget_);
    bool in_text = false;
    bool in_cell_formats = false;
    int phonetic = 0;
    for (Event event = xml.next(); event != Event::done; event = xml.next()) {
      const std::string_view name = xml.name();
      const bool begins = event == Event::begin;
      if (event == Event::text) {
        if (!in_text || phonetic != 0) continue;
        budget_.take(xml.text().size());
        book_->strings += xml.text();
        continue;
      }
      if (book && begins && name == "sheet" && first.empty()) first = xml.attribute("id").value_or("");
      if (book && begins && name == "workbookPr") {
        const std::string since = xml.attribute("date1904").value_or("0");
        book_->since_1904 = since == "1" || since == "true";
      }
      if (begins && (name == "Relationship" || name == "numFmt" || name == "xf")) budget_.take(kBytesOfPart + xml.tag_bytes());
      if (links && begins && name == "Relationship")
        targets[xml.attribute("Id").value_or("")] = xml.attribute("Target").value_or("");
      if (styles && begins && name == "numFmt" && shows_time(xml.attribute("formatCode").value_or("")))
        time_formats.insert(number_or_zero(xml.attribute("numFmtId").value_or("")));
      if (styles && name == "cellXfs") in_cell_formats = begins;
      if (styles && begins && in_cell_formats && name == "xf")
        formats.push_back(number_or_zero(xml.attribute("numFmtId").value_or("")));
      if (strings && name == "t") in_text = begins;
      if (strings && name == "rPh") phonetic += begins ? 1 : -1;
      if (strings && !begins && name == "si") {
        budget_.take(sizeof(std::size_t));
        book_->ends.push_back(book_->strings.size());
      }
    }
  }
  note_unpacking_memory(book_->strings.size() + book_->ends.size() * sizeof(std::size_t), limits_);
  for (const std::uint64_t format : formats)
    book_->is_time.push_back(shows_time_by_number(format) || time_formats.contains(format));
  const std::string target = targets[first];
  if (target.empty()) throw FormatError(path_, "expected a sheet in the workbook, found none");
  book_->sheet = target.starts_with('/') ? target.substr(1) : "xl/" + target;
}

void WorkbookStream::open_sheet() {
  pass_ = std::make_unique<Pass>(path_, limits_);
  for (std::string part; pass_->reader.next_file(part);) {
    if (part != book_->sheet) continue;
    budget_.go_to(path_ + "/" + part);
    sheet_.emplace(pass_->reader, path_ + "/" + part, budget_);
    meter_.emplace(pass_->file, limits_, pass_->written);
    return;
  }
  throw FormatError(path_, fmt::format("expected the sheet {}, found none", quoted_text(book_->sheet)));
}

std::size_t WorkbookStream::read(std::span<char> to) {
  std::size_t count = 0;
  while (count < to.size()) {
    if (out_at_ == out_.size()) {
      out_.clear();
      out_at_ = 0;
      if (!next_row()) break;
    }
    const std::size_t some = std::min(to.size() - count, out_.size() - out_at_);
    std::copy_n(out_.data() + out_at_, some, to.data() + count);
    out_at_ += some;
    count += some;
  }
  return count;
}

// Writes the next row that is not empty; false at the end.
bool WorkbookStream::next_row() {
  if (!sheet_) return false;
  for (Event event = sheet_->next(); event != Event::done; event = sheet_->next()) {
    if (event == Event::begin && sheet_->name() == "dimension") note_dimension(sheet_->attribute("ref").value_or(""));
    if (event != Event::begin || sheet_->name() != "row") continue;
    const std::uint64_t stated = number_or_zero(sheet_->attribute("r").value_or(""));
    row_ = stated > 0 ? stated : row_ + 1;
    read_row();
    if (!out_.empty()) return true;
  }
  sheet_.reset();
  return false;
}

void WorkbookStream::read_row() {
  cells_.clear();
  budget_.give_back(std::exchange(row_bytes_, 0));
  column_ = 0;
  for (Event event = sheet_->next();; event = sheet_->next()) {
    if (event == Event::end && sheet_->name() == "row") break;
    if (event == Event::begin && sheet_->name() == "c") read_cell();
  }
  while (!cells_.empty() && cells_.back().empty()) cells_.pop_back();
  if (!cells_.empty()) write_row();
}

void WorkbookStream::take_of_row(std::size_t bytes) {
  budget_.take(bytes);
  row_bytes_ += bytes;
}

// "A1:W99": columns that the header does not name, as people write notes in, are part of the table, if it is no wider than tables
// of records are.
void WorkbookStream::note_dimension(std::string_view range) {
  constexpr std::size_t widest = 500;
  const std::size_t column = column_of(range.substr(std::min(range.find(':'), range.size() - 1) + 1));
  if (column <= widest) width_ = column;
}

// A cell at "C7" is in the third column; a cell that does not say its place follows the one before.
void WorkbookStream::read_cell() {
  const std::size_t column = column_of(sheet_->attribute("r").value_or(""));
  column_ = column > 0 ? column - 1 : cells_.size();
  if (column_ >= kMostColumns) refuse(fmt::format("expected at most {} columns, found more", kMostColumns));
  const std::string type = sheet_->attribute("t").value_or("n");
  const std::string style = sheet_->attribute("s").value_or("");
  std::string value;
  bool in_value = false;
  int phonetic = 0;
  for (Event event = sheet_->next();; event = sheet_->next()) {
    const std::string_view name = sheet_->name();
    if (event == Event::text) {
      if (!in_value || phonetic != 0) continue;
      take_of_row(sheet_->text().size());
      value += sheet_->text();
      continue;
    }
    if (event == Event::end && name == "c") break;
    if (name == "v" || (name == "t" && type == "inlineStr")) in_value = event == Event::begin;
    if (name == "rPh") phonetic += event == Event::begin ? 1 : -1;
  }
  if (column_ >= cells_.size()) {
    take_of_row((column_ + 1 - cells_.size()) * sizeof(std::string));
    cells_.resize(column_ + 1);
  }
  cells_[column_] = value_of(type, value, style);
  // Many cells may refer to one long text, which is unpacked once but written for each of them.
  take_of_row(cells_[column_].size());
  meter_->add(cells_[column_].size());
}

std::string WorkbookStream::value_of(const std::string& type, const std::string& value, const std::string& style) {
  if (type == "s") {
    const std::optional<std::int64_t> index = parse_integer(value);
    if (!index || *index < 0 || static_cast<std::size_t>(*index) >= book_->ends.size())
      refuse(fmt::format("expected the number of one of {} shared texts, found {}", book_->ends.size(), quoted_text(value)));
    return with_escapes(book_->string(static_cast<std::size_t>(*index)));
  }
  if (type == "b") return value == "1" ? "TRUE" : "FALSE";
  if (type != "n" || value.empty()) return with_escapes(value);
  const std::optional<double> number = parse_real(value);
  if (!number || !std::isfinite(*number)) refuse(fmt::format("expected a number, found {}", quoted_text(value)));
  const std::uint64_t format = number_or_zero(style);
  constexpr double last_day = 2958466.0;  // of the year 9999
  if (format < book_->is_time.size() && book_->is_time[format] && *number >= 0.0 && *number < last_day)
    return iso_time(*number, book_->since_1904);
  constexpr double largest_whole = 1e15;
  if (*number == std::floor(*number) && std::abs(*number) < largest_whole)
    return std::to_string(static_cast<std::int64_t>(*number));
  return fmt::format("{}", *number);
}

void WorkbookStream::note_header() {
  header_width_ = cells_.size();
  width_ = std::max(width_, header_width_);
  is_guarded_ = is_guarded_ || std::ranges::any_of(cells_, marks_guarded_table);
  is_continued_.assign(width_, false);
  for (std::size_t n = 1, first = 0; is_guarded_ && n < header_width_; ++n) {
    is_continued_[n] = cells_[n] == continued_column(cells_[first], n - first + 1);
    if (!is_continued_[n]) first = n;
  }
}

void WorkbookStream::join_pieces() {
  for (std::size_t n = 1, first = 0; n < std::min(cells_.size(), width_); ++n) {
    if (!is_continued_[n]) first = n;
    if (!is_continued_[n]) continue;
    take_of_row(cells_[n].size());
    cells_[first] += cells_[n];
  }
}

void WorkbookStream::write_row() {
  note_unpacking_memory(book_->strings.size() + row_bytes_, limits_);
  // Lines before the header are shorter than it.
  constexpr int most_lines_before_header = 20;
  if (rows_written_ == 0 || (cells_.size() > header_width_ && rows_written_ < most_lines_before_header))
    note_header();
  else
    join_pieces();
  ++rows_written_;
  cells_.resize(std::max(cells_.size(), width_));  // a longer row is one for the reader of CSV to refuse
  for (std::size_t n = 0; n < cells_.size(); ++n) {
    if (n < width_ && is_continued_[n]) continue;
    if (n > 0) out_ += ',';
    append_csv_field(is_guarded_ ? guarded_text(cells_[n]) : cells_[n], out_);
  }
  out_ += '\n';
  meter_->add(width_);
}

}  // namespace inkling
