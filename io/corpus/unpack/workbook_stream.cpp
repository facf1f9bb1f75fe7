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
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/unpack/foreign_kinds.hpp"
#include "io/corpus/unpack/old_workbook_stream.hpp"

namespace inkling {
namespace {

using Event = XmlReader::Event;

constexpr std::size_t kMostColumns = 16384;  // ECMA-376: XFD
constexpr std::size_t kBytesOfPart = 128;    // of a sheet, a style or a format of numbers, beside its text

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
      book_(std::make_unique<Book>()),
      table_(budget_) {
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
  return table_.read(to, [&] { return next_row(); });
}

// Reads the next row; false at the end.
bool WorkbookStream::next_row() {
  if (!sheet_) return false;
  for (Event event = sheet_->next(); event != Event::done; event = sheet_->next()) {
    if (event == Event::begin && sheet_->name() == "dimension") note_dimension(sheet_->attribute("ref").value_or(""));
    if (event != Event::begin || sheet_->name() != "row") continue;
    const std::uint64_t stated = number_or_zero(sheet_->attribute("r").value_or(""));
    row_ = stated > 0 ? stated : row_ + 1;
    read_row();
    return true;
  }
  sheet_.reset();
  return false;
}

void WorkbookStream::read_row() {
  table_.begin_row();
  column_ = 0;
  for (Event event = sheet_->next();; event = sheet_->next()) {
    if (event == Event::end && sheet_->name() == "row") break;
    if (event == Event::begin && sheet_->name() == "c") read_cell();
  }
  table_.end_row();
  note_unpacking_memory(book_->strings.size() + table_.row_bytes(), limits_);
  meter_->add(table_.columns());
}

// "A1:W99".
void WorkbookStream::note_dimension(std::string_view range) {
  table_.expect_columns(column_of(range.substr(std::min(range.find(':'), range.size() - 1) + 1)));
}

// A cell at "C7" is in the third column; a cell that does not say its place follows the one before.
void WorkbookStream::read_cell() {
  const std::size_t column = column_of(sheet_->attribute("r").value_or(""));
  column_ = column > 0 ? column - 1 : table_.columns();
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
      table_.take(sheet_->text().size());
      value += sheet_->text();
      continue;
    }
    if (event == Event::end && name == "c") break;
    if (name == "v" || (name == "t" && type == "inlineStr")) in_value = event == Event::begin;
    if (name == "rPh") phonetic += event == Event::begin ? 1 : -1;
  }
  std::string text = value_of(type, value, style);
  meter_->add(text.size());
  table_.put(column_, std::move(text));
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
  const bool is_time = format < book_->is_time.size() && book_->is_time[format];
  return number_of_cell(*number, is_time, book_->since_1904);
}

bool is_workbook(const FileStream& file) {
  const ForeignKind* const kind = file.can_seek() ? zipped_kind_in(file) : nullptr;
  return (kind != nullptr && kind->is_workbook) || is_old_workbook(file);
}

std::unique_ptr<InputStream> open_workbook(FileStream& file, const UnpackingLimits& limits) {
  if (is_old_workbook(file)) return std::make_unique<OldWorkbookStream>(file, limits);
  return std::make_unique<WorkbookStream>(file.path(), limits);
}

}  // namespace inkling
