#include "io/corpus/sheets/workbook_writer.hpp"

#include <algorithm>
#include <utility>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

// The limits of spreadsheet programs ("Excel specifications and limits"), and of a zip file that is not zip64.
constexpr std::uint64_t kMostRows = 1'048'576;
constexpr std::size_t kMostColumnsOfSheet = 16'384;
constexpr std::size_t kMostUnits = 32'767;
constexpr std::uint64_t kMostSheetBytes = 4'000'000'000;

constexpr std::string_view kXmlBegin = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
constexpr std::string_view kPartTypes =
    R"(<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">)"
    R"(<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>)"
    R"(<Default Extension="xml" ContentType="application/xml"/>)"
    R"(<Override PartName="/xl/workbook.xml" )"
    R"(ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>)"
    R"(<Override PartName="/xl/worksheets/sheet1.xml" )"
    R"(ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>)";
constexpr std::string_view kPartRelations =
    R"(<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" )"
    R"(Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{}" Target="{}"/></Relationships>)";
constexpr std::string_view kBookPart = R"(<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" )"
                                       R"(xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">)"
                                       R"(<sheets><sheet name="Records" sheetId="1" r:id="rId1"/></sheets></workbook>)";
constexpr std::string_view kSheetBegin =
    R"(<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews>)"
    R"(<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>)"
    R"(</sheetView></sheetViews><sheetData>)";

// Whether the text begins with an escape such as "_x0041_", which means a character (ECMA-376, 22.9.2.19).
bool is_escape(std::string_view text) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); };
  return text.size() >= 7 && text[1] == 'x' && text[6] == '_' && std::ranges::all_of(text.substr(2, 4), is_digit);
}

void append_escape(unsigned point, std::string& out) { out += fmt::format("_x{:04X}_", point); }

void append_cell_text(std::string_view text, std::string& out) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char next = text[at];
    const std::string_view rest = text.substr(at);
    if (next == '&') {
      out += "&amp;";
    } else if (next == '<') {
      out += "&lt;";
    } else if (next == '>') {
      out += "&gt;";
    } else if (next == '\r') {
      out += "&#13;";
    } else if (static_cast<unsigned char>(next) < 0x20 && next != '\n' && next != '\t') {
      append_escape(static_cast<unsigned char>(next), out);
    } else if (next == '_' && is_escape(rest)) {
      append_escape('_', out);
    } else if (rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF")) {
      append_escape(rest[2] == '\xBE' ? 0xFFFE : 0xFFFF, out);
      at += 2;
    } else {
      out += next;
    }
  }
}

// The length as spreadsheet programs count it: characters beyond U+FFFF count as two.
std::size_t utf16_units(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }) +
                                  std::ranges::count_if(text, [](char c) { return (c & 0xF8) == 0xF0; }));
}

std::string column_letters(std::size_t column) {
  std::string letters;
  for (++column; column > 0; column = (column - 1) / 26)
    letters.insert(letters.begin(), static_cast<char>('A' + (column - 1) % 26));
  return letters;
}

}  // namespace

std::vector<std::string_view> cell_pieces(std::string_view text) {
  std::vector<std::string_view> pieces;
  while (text.size() > kMostUnits) {
    std::size_t units = 0;
    std::size_t end = 0;
    for (; end < text.size(); ++end) {
      const auto next = static_cast<unsigned char>(text[end]);
      if ((next & 0xC0U) == 0x80U) continue;
      units += (next & 0xF8U) == 0xF0U ? 2 : 1;
      if (units > kMostUnits) break;
    }
    if (end == text.size()) break;
    pieces.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  pieces.push_back(text);
  return pieces;
}

std::string continued_column(std::string_view column, std::size_t piece) {
  return fmt::format("{} (continued {})", column, piece);
}

// The functions that libarchive calls.
struct WorkbookWriter::Callbacks {
  static la_ssize_t write(archive* /*writer*/, void* of, const void* bytes, std::size_t size) {
    auto& writer = *static_cast<WorkbookWriter*>(of);
    try {
      if (!writer.failure_ && writer.append_) writer.append_({static_cast<const char*>(bytes), size});
    } catch (...) {
      writer.failure_ = std::current_exception();  // `check` throws it; libarchive frees its memory only if this succeeds
    }
    return static_cast<la_ssize_t>(size);
  }
};

WorkbookWriter::WorkbookWriter(Append append)
    : append_(std::move(append)), archive_(archive_write_new(), [](archive* writer) { archive_write_free(writer); }) {
  if (!archive_) throw std::bad_alloc();
  check(archive_write_set_format_zip(archive_.get()));
  // Parts of unknown size would make it a zip64 file, which some spreadsheet programs refuse.
  check(archive_write_set_options(archive_.get(), "zip:!zip64"));
  check(archive_write_set_bytes_per_block(archive_.get(), 0));
  check(archive_write_open2(archive_.get(), this, nullptr, Callbacks::write, nullptr, nullptr));
  write_part("[Content_Types].xml", kPartTypes);
  write_part("_rels/.rels", fmt::format(kPartRelations, "officeDocument", "xl/workbook.xml"));
  write_part("xl/workbook.xml", kBookPart);
  write_part("xl/_rels/workbook.xml.rels", fmt::format(kPartRelations, "worksheet", "worksheets/sheet1.xml"));
  begin_part("xl/worksheets/sheet1.xml");
  write_bytes(kSheetBegin);
}

// If finish() was not called, the rest must not be written: freeing the archive would write it, so `append_` is cleared before.
WorkbookWriter::~WorkbookWriter() {
  append_ = nullptr;
  archive_.reset();
}

void WorkbookWriter::check(int answer) {
  if (failure_) std::rethrow_exception(failure_);
  if (answer < ARCHIVE_WARN)
    throw FormatError("an XLSX file", fmt::format("cannot pack it: {}", archive_error_string(archive_.get())));
}

void WorkbookWriter::begin_part(const char* name) {
  const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(), &archive_entry_free);
  if (!entry) throw std::bad_alloc();
  archive_entry_set_pathname(entry.get(), name);
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), 0644);
  check(archive_write_header(archive_.get(), entry.get()));
  write_bytes(kXmlBegin);
}

void WorkbookWriter::write_part(const char* name, std::string_view xml) {
  begin_part(name);
  write_bytes(xml);
}

void WorkbookWriter::write_bytes(std::string_view bytes) {
  bytes_ += bytes.size();
  if (bytes_ > kMostSheetBytes)
    throw FormatError(next_place(), "expected at most 4 GB in a sheet of XLSX, found more; .csv and .jsonl hold more");
  const la_ssize_t written = archive_write_data(archive_.get(), bytes.data(), bytes.size());
  check(std::cmp_equal(written, bytes.size()) ? ARCHIVE_OK : ARCHIVE_FATAL);
}

std::string WorkbookWriter::next_place() { return column_letters(columns_) + std::to_string(rows_ + 1); }

void WorkbookWriter::add_text(std::string_view text) {
  const std::string place = next_place();
  const auto refuse = [&](std::string_view most, std::size_t found) {
    throw FormatError("cell " + place,
                      fmt::format("expected at most {} of XLSX, found {}; .csv and .jsonl have no such limit", most, found));
  };
  if (rows_ >= kMostRows) refuse("1,048,576 rows in a sheet", static_cast<std::size_t>(rows_) + 1);
  if (columns_ >= kMostColumnsOfSheet) refuse("16,384 columns in a sheet", columns_ + 1);
  if (const std::size_t units = utf16_units(text); units > kMostUnits) refuse("32,767 characters in a cell", units);
  ++columns_;
  if (text.empty()) return;
  row_ += fmt::format(R"(<c r="{}" t="inlineStr"><is><t xml:space="preserve">)", place);
  append_cell_text(text, row_);
  row_ += "</t></is></c>";
}

void WorkbookWriter::add_number(std::string_view digits) {
  const std::string place = next_place();
  add_text({});
  row_ += fmt::format(R"(<c r="{}"><v>{}</v></c>)", place, digits);
}

void WorkbookWriter::end_row() {
  ++rows_;
  write_bytes(fmt::format("<row r=\"{}\">{}</row>", rows_, row_));
  row_.clear();
  columns_ = 0;
}

void WorkbookWriter::finish() {
  write_bytes("</sheetData></worksheet>");
  check(archive_write_close(archive_.get()));
}

}  // namespace inkling
