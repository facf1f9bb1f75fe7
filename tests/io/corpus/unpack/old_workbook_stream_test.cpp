// XLS as MS-XLS defines it: 2.4 (records), 2.5.294 (texts), 2.5.122 (numbers of four bytes); its container as in MS-CFB.
#include "io/corpus/unpack/old_workbook_stream.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "io/corpus/source/format_detection.hpp"
#include "io/corpus/unpack/workbook_stream.hpp"
#include "tests/support/io/old_workbook_builder.hpp"
#include "tests/support/io/read_documents.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::low_bytes, test::xls_book, test::xls_cell, test::xls_record, test::xls_text, test::compound_file;
using test::TemporaryFolder;

std::string csv_of_file(const std::string& bytes, const UnpackingLimits& limits = {}) {
  const TemporaryFolder folder;
  const std::string path = folder.file("book.xls");
  write_file(path, bytes);
  FileStream file(path);
  if (!is_workbook(file)) return "no workbook";
  try {
    const std::unique_ptr<InputStream> stream = open_workbook(file, limits);
    std::string csv;
    std::string block(7, '\0');
    for (std::size_t got = stream->read(block); got > 0; got = stream->read(block)) csv.append(block, 0, got);
    return csv;
  } catch (const FormatError& error) {
    const std::string what = error.what();
    return "refused " + what.substr(std::min(what.find("book.xls"), what.size()));
  }
}

std::string csv_of(const std::string& globals, const std::string& cells) {
  return csv_of_file(compound_file("Workbook", xls_book(globals, cells)));
}

std::string label(std::uint64_t row, std::uint64_t column, std::string_view text) {
  return xls_record(0x204, xls_cell(row, column) + xls_text(text));
}
std::string shared(std::uint64_t row, std::uint64_t column, std::uint64_t number) {
  return xls_record(0xFD, xls_cell(row, column) + low_bytes(number, 4));
}
std::string number(std::uint64_t column, double value, std::uint64_t style = 0) {
  return xls_record(0x203, xls_cell(0, column, style) + low_bytes(std::bit_cast<std::uint64_t>(value), 8));
}
std::string short_number(double value) {
  return xls_record(0x27E, xls_cell(0, 0) + low_bytes(std::bit_cast<std::uint64_t>(value) >> 32U, 4));
}
std::string formula(std::uint64_t result) { return xls_record(0x06, xls_cell(0, 0) + low_bytes(result, 8) + low_bytes(0, 8)); }
std::string wide(std::u16string_view text) {
  std::string bytes;
  for (const char16_t unit : text) bytes += low_bytes(unit, 2);
  return bytes;
}

// Formats: 0 a number, 1 a predefined date, 2 a time that the file defines.
std::string styles() {
  return xls_record(0x41E, low_bytes(164, 2) + xls_text("yyyy\\-mm")) + xls_record(0xE0, low_bytes(0, 20)) +
         xls_record(0xE0, low_bytes(0, 2) + low_bytes(14, 18)) + xls_record(0xE0, low_bytes(0, 2) + low_bytes(164, 18));
}

TEST_CASE("cells of XLS are what a person sees in them") {
  constexpr std::uint64_t is_no_number = std::uint64_t{0xFFFF} << 48U;
  const std::vector<std::pair<std::string, std::string>> cells = {
      {label(0, 0, "a title, \"q\""), "\"a title, \"\"q\"\"\""},
      {label(0, 0, "caf\xE9"), "café"},
      {xls_record(0x204, xls_cell(0, 0) + low_bytes(4, 2) + '\1' + wide(u"日\U0001F600é")), "日😀é"},
      {xls_record(0x204, xls_cell(0, 0) + low_bytes(2, 2) + '\1' + wide(u"a") + low_bytes(0xD83D, 2)), "a\xEF\xBF\xBD"},
      {xls_record(0xD6, xls_cell(0, 0) + xls_text("bold") + low_bytes(1, 2) + low_bytes(0, 4)), "bold"},
      {number(0, 2019), "2019"},
      {number(0, -3.5), "-3.5"},
      {number(0, 43800, 1), "2019-12-01"},
      {number(0, 43800.75, 2), "2019-12-01T18:00:00"},
      {number(0, std::numeric_limits<double>::quiet_NaN()), "#NUM!"},
      {short_number(2019), "2019"},
      {xls_record(0x27E, xls_cell(0, 0) + low_bytes(12345 << 2U | 2U, 4)), "12345"},
      {xls_record(0x27E, xls_cell(0, 0) + low_bytes(12345 << 2U | 3U, 4)), "123.45"},
      {xls_record(0x27E, xls_cell(0, 0) + low_bytes(static_cast<std::uint32_t>(-7) << 2U | 2U, 4)), "-7"},
      {xls_record(0xBD, low_bytes(0, 2) + low_bytes(1, 2) + low_bytes(0, 2) + low_bytes(5 << 2U | 2U, 4) + low_bytes(1, 2) +
                            low_bytes(43800 << 2U | 2U, 4) + low_bytes(2, 2)),
       ",5,2019-12-01"},
      {xls_record(0x205, xls_cell(0, 0) + low_bytes(1, 2)), "TRUE"},
      {xls_record(0x205, xls_cell(0, 0) + low_bytes(0x12A, 2)), "#N/A"},
      {xls_record(0x205, xls_cell(0, 0) + low_bytes(0x107, 2)), "#DIV/0!"},
      {formula(std::bit_cast<std::uint64_t>(2.5)), "2.5"},
      {formula(is_no_number) + xls_record(0x207, xls_text("its text")), "its text"},
      {formula(is_no_number) + xls_record(0x4BC, "shared") + xls_record(0x207, xls_text("its text")), "its text"},
      {formula(is_no_number | 1U | 1U << 16U), "TRUE"},
      {formula(is_no_number | 2U | 0x2AU << 16U), "#N/A"},
      {xls_record(0x201, xls_cell(0, 0)) + label(0, 2, "third"), ",,third"},
      {label(0, 0, "before") + xls_record(0x809, low_bytes(0x600, 16)) + label(0, 0, "of a chart") + xls_record(0x0A, ""),
       "before"},
  };
  for (const auto& [records, csv] : cells) {
    CAPTURE(csv);
    CHECK(csv_of(styles(), records) == csv + "\n");
  }
  CHECK(csv_of(styles() + xls_record(0x22, low_bytes(1, 2)), number(0, 42338, 1)) == "2019-12-01\n");
}

TEST_CASE("shared texts of XLS continue in further records, where their characters may have another width") {
  const std::string first = low_bytes(4, 4) + low_bytes(4, 4) + xls_text("title") + low_bytes(7, 2) + '\0' + "abc";
  const std::string second = '\1' + wide(u"déf日") + low_bytes(3, 2) + '\x0D' + low_bytes(2, 2) + low_bytes(4, 4) + wide(u"x");
  const std::string third = '\1' + wide(u"yz") + "FONTS...";
  const std::string texts = xls_record(0xFC, first) + xls_record(0x3C, second) + xls_record(0x3C, third) +
                            xls_record(0x3C, "more" + xls_text("the end"));
  const std::string cells = shared(0, 0, 0) + shared(0, 1, 1) + shared(1, 0, 2) + shared(1, 1, 3);
  CHECK(csv_of(texts, cells) == "title,abcdéf日\nxyz,the end\n");
  CHECK(csv_of(texts, shared(4, 2, 4)) == "refused book.xls:5:3: expected the number of one of 4 shared texts, found 4");
}

TEST_CASE("rows of XLS that come in any order are read in their order, and empty ones are left out") {
  CHECK(csv_of("", label(3, 0, "later") + label(0, 1, "second") + label(0, 0, "first")) == "first,second\nlater,\n");
}

TEST_CASE("the first sheet of XLS is read, whatever lies before it") {
  const std::string first = xls_record(0x85, low_bytes(0, 4) + low_bytes(0x200, 2) + "\1" + '\0' + "C");
  CHECK(csv_of(first, label(0, 0, "a")) == "a\n");
}

TEST_CASE("XLS in small sectors, and in so many large ones that tables name further tables") {
  const std::string book = xls_book("", label(0, 0, "small"));
  CHECK(csv_of_file(compound_file("Workbook", book, true)) == "small\n");
  std::string cells = label(0, 0, "title");
  for (std::uint64_t row = 1; row < 3000; ++row) cells += label(row, 0, std::string(900, 'x'));
  CHECK(csv_of("", cells).size() == 6 + 2999 * 901);
}

TEST_CASE("XLS with a password, of an earlier Excel or damaged is refused in words") {
  const std::string remedy = "; save it as XLSX or CSV";
  CHECK(csv_of(xls_record(0x2F, low_bytes(0, 2)), "") ==
        "refused book.xls: expected a workbook without a password, found one that has a password; open it with the password and "
        "save it without one, or save it as XLSX or CSV");
  CHECK(csv_of_file(compound_file("Book", "x")) ==
        "refused book.xls: expected a workbook of Excel 97 or later, found an earlier one" + remedy);
  CHECK(csv_of_file(compound_file("WordDocument", "x")) == "no workbook");
  CHECK(csv_of("", xls_record(0x204, xls_cell(0, 0) + low_bytes(9, 2) + '\0' + "short")) ==
        "refused book.xls: expected an intact workbook, found a record that is cut" + remedy);
  CHECK(csv_of("", label(0, 256, "x")) == "refused book.xls: expected an intact workbook, found too many columns" + remedy);
  const std::string whole = compound_file("Workbook", xls_book("", label(0, 0, "a") + xls_record(0x3D, std::string(5000, 'x'))));
  CHECK(csv_of_file(whole.substr(0, whole.size() - 1024)) ==
        "refused book.xls: expected an intact workbook, found an end before its end" + remedy);
  std::string circle = whole;
  const std::size_t link = 512 + std::size_t{4} * 5;  // of a sector of the book, to the sector before it
  circle.replace(link, 4, low_bytes(4, 4));
  CHECK(csv_of_file(circle).starts_with("refused book.xls: expected an intact workbook"));
}

TEST_CASE("every byte of XLS may be wrong: it is read or refused") {
  const std::string whole =
      compound_file("Workbook", xls_book(styles() + xls_record(0xFC, low_bytes(1, 4) + low_bytes(1, 4) + xls_text("t")),
                                         shared(0, 0, 0) + number(1, 5, 1) + label(1, 0, "a")));
  for (std::size_t at = 0; at < std::min<std::size_t>(whole.size(), 2600); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xFF);
    static_cast<void>(csv_of_file(damaged));
  }
}

TEST_CASE("a text of XLS that continues in records without bytes is refused, because many cells may refer to it") {
  const std::string texts = xls_record(0xFC, low_bytes(1, 4) + low_bytes(1, 4) + low_bytes(3, 2) + '\0' + "a") +
                            xls_record(0x3C, "") + xls_record(0x3C, std::string(1, '\0') + "bc");
  CHECK(csv_of(texts, shared(0, 0, 0)) ==
        "refused book.xls: expected an intact workbook, found a record that is cut; save it as XLSX or CSV");
}

TEST_CASE("a small XLS file whose cells share one long text is within the limits") {
  std::string cells;
  for (std::uint64_t row = 0; row < 2000; ++row) cells += shared(row, 0, 0);
  const std::string texts = xls_record(0xFC, low_bytes(1, 4) + low_bytes(1, 4) + xls_text(std::string(8000, 'x')));
  const UnpackingLimits limits = {.most_expansion = 5.0, .free_bytes = 1000};
  CHECK(csv_of_file(compound_file("Workbook", xls_book(texts, cells)), limits).find("(--max-expansion), found more") !=
        std::string::npos);
}

TEST_CASE("records of XLS become documents, and the file needs no option") {
  const TemporaryFolder folder;
  const std::string path = folder.file("savedrecs.xls");
  write_file(path, compound_file("Workbook", xls_book("", label(0, 0, "Article Title") + label(0, 1, "Abstract") +
                                                              label(1, 0, "A first") + label(1, 1, "Its words."))));
  const test::ReadDocuments read = test::read_documents({path}, {.format = "csv", .text_field = "Article Title"});
  CHECK(read.texts() == std::vector<std::string>{"A first"});
  CHECK(read.problem == "");
}

}  // namespace
}  // namespace inkling
