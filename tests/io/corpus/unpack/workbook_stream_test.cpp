// XLSX as ECMA-376, part 1, defines it: 18.3 (sheets), 18.4 (shared texts), 18.8.30 (formats), 18.17.4 (dates).
#include "io/corpus/unpack/workbook_stream.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <zlib.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "io/corpus/sheets/workbook_writer.hpp"
#include "io/corpus/source/document_source.hpp"
#include "tests/support/io/archive_builder.hpp"
#include "tests/support/io/read_documents.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::InFolder, test::TemporaryFolder;
using Parts = std::map<std::string, std::string>;

Parts parts_with(const std::string& rows) {
  return {{"[Content_Types].xml", "<Types/>"},
          {"xl/workbook.xml",
           "<?xml version=\"1.0\"?><workbook xmlns:r=\"r\"><sheets><sheet name=\"A\" r:id=\"rId2\"/><sheet name=\"B\" "
           "r:id=\"rId1\"/></sheets></workbook>"},
          {"xl/_rels/workbook.xml.rels",
           "<Relationships><Relationship Id=\"rId1\" Target=\"worksheets/other.xml\"/><Relationship Id=\"rId2\" "
           "Target=\"worksheets/sheet1.xml\"/></Relationships>"},
          {"xl/sharedStrings.xml",
           "<sst><si><t>title</t></si><si><r><t>ab</t></r><r><t xml:space=\"preserve\">c &amp; d</t></r>"
           "<rPh><t>no</t></rPh></si><si><t>two\nlines, _x000D_\"q\"</t></si></sst>"},
          {"xl/styles.xml",
           "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"yyyy\\-mm\"/><numFmt numFmtId=\"165\" "
           "formatCode=\"0.0&quot;d&quot;[Red]\"/></numFmts><cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs><cellXfs>"
           "<xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"164\"/><xf numFmtId=\"165\"/><xf numFmtId=\"22\"/>"
           "</cellXfs></styleSheet>"},
          {"xl/worksheets/other.xml", "<worksheet><sheetData/></worksheet>"},
          {"xl/worksheets/sheet1.xml", "<worksheet><sheetData>" + rows + "</sheetData></worksheet>"}};
}

void append_number(std::string& bytes, std::uint64_t number, int size) {
  for (int n = 0; n < size; ++n, number >>= 8U) bytes += static_cast<char>(number & 0xFFU);
}

// A zip file of one uncompressed file, which is how OpenDocument and EPUB begin with their type.
void write_stored(const std::string& path, const std::string& name, const std::string& content) {
  const auto checksum = ::crc32(0, reinterpret_cast<const unsigned char*>(content.data()), static_cast<unsigned>(content.size()));
  std::string rest;
  for (const std::uint64_t field : {20U, 0U, 0U, 0U, 33U}) append_number(rest, field, 2);
  append_number(rest, checksum, 4);
  append_number(rest, content.size(), 4);
  append_number(rest, content.size(), 4);
  append_number(rest, name.size(), 2);
  append_number(rest, 0, 2);
  std::string bytes = "PK\x03\x04" + rest + name + content;
  const std::size_t directory = bytes.size();
  bytes += "PK\x01\x02";
  append_number(bytes, 20, 2);
  bytes += rest;
  append_number(bytes, 0, 14);
  bytes += name;
  const std::size_t size = bytes.size() - directory;
  bytes += "PK\x05\x06";
  append_number(bytes, 0, 4);
  append_number(bytes, 1, 2);
  append_number(bytes, 1, 2);
  append_number(bytes, size, 4);
  append_number(bytes, directory, 4);
  append_number(bytes, 0, 2);
  write_file(path, bytes);
}

std::string write_book(const TemporaryFolder& folder, const Parts& parts) {
  std::string path = folder.file("book.xlsx");
  test::write_archive(path, "zip", "none", {parts.begin(), parts.end()});
  return path;
}

std::string csv_in(const Parts& parts) {
  const TemporaryFolder folder;
  const std::string path = write_book(folder, parts);
  try {
    WorkbookStream stream(path, {});
    std::string csv;
    std::string block(7, '\0');
    for (std::size_t got = stream.read(block); got > 0; got = stream.read(block)) csv.append(block, 0, got);
    return csv;
  } catch (const FormatError& error) {
    const std::string what = error.what();
    return "refused " + what.substr(std::min(what.find("book.xlsx"), what.size()));
  }
}

std::string cell_of(const std::string& cell) {
  const std::string csv = csv_in(parts_with("<row r=\"1\">" + cell + "</row>"));
  return csv.substr(0, csv.find('\n'));
}

TEST_CASE("cells are what a person sees in them") {
  const std::vector<std::pair<std::string, std::string>> cells = {
      {R"(<c r="A1" t="s"><v>0</v></c>)", "title"},
      {R"(<c r="A1" t="s"><v>1</v></c>)", "abc & d"},
      {R"(<c r="A1" t="inlineStr"><is><t>in</t><rPh><t>no</t></rPh><r><t>line</t></r></is></c>)", "inline"},
      {R"(<c r="A1" t="str"><f>A2&amp;"x"</f><v>formula</v></c>)", "formula"},
      {R"(<c r="A1" t="b"><v>1</v></c>)", "TRUE"},
      {R"(<c r="A1" t="b"><v>0</v></c>)", "FALSE"},
      {R"(<c r="A1" t="e"><v>#N/A</v></c>)", "#N/A"},
      {R"(<c r="A1"><v>2019</v></c>)", "2019"},
      {R"(<c r="A1"><v>-3.5</v></c>)", "-3.5"},
      {R"(<c r="A1"><v>0.10000000000000001</v></c>)", "0.1"},
      {R"(<c r="A1"><v>1E3</v></c>)", "1000"},
      {R"(<c r="A1"><v>1.5E+300</v></c>)", "1.5e+300"},
      {R"(<c r="A1" s="3"><v>1.5</v></c>)", "1.5"},
      {R"(<c r="A1" s="1"><v>43800</v></c>)", "2019-12-01"},
      {R"(<c r="A1" s="2"><v>1</v></c>)", "1900-01-01"},
      {R"(<c r="A1" s="1"><v>59</v></c>)", "1900-02-28"},
      {R"(<c r="A1" s="1"><v>60</v></c>)", "1900-02-29"},
      {R"(<c r="A1" s="1"><v>61</v></c>)", "1900-03-01"},
      {R"(<c r="A1" s="4"><v>43800.75</v></c>)", "2019-12-01T18:00:00"},
      {R"(<c r="A1" s="4"><v>0.5</v></c>)", "12:00:00"},
      {R"(<c r="A1" s="1"><v>2958465</v></c>)", "9999-12-31"},
      {R"(<c r="A1" t="d"><v>2019-12-01</v></c>)", "2019-12-01"},
      {R"(<c r="A1" t="inlineStr"><is><t>say "hi", you</t></is></c>)", "\"say \"\"hi\"\", you\""},
      {R"(<c r="C1"><v>3</v></c>)", ",,3"},
      {R"(<c><v>1</v></c><c><v>2</v></c>)", "1,2"},
      {R"(<x:c r="A1"><x:v>7</x:v></x:c>)", "7"},
      {R"(<c r="A1" t="inlineStr"><is><t><![CDATA[a<b]]></t></is></c>)", "a<b"},
      {R"(<c r="A1" t="inlineStr"><is><t>&#233;&#x20AC;&lt;</t></is></c>)", "é€<"},
  };
  for (const auto& [xml, csv] : cells) {
    CAPTURE(xml);
    CHECK(cell_of(xml) == csv);
  }
}

TEST_CASE("rows are as long as the first one, and empty ones are left out") {
  CHECK(csv_in(parts_with(R"(<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row><row r="3"/>)"
                          R"(<row r="5"><c r="B5"><v>4</v></c></row><row><c r="C6"/><c r="A6"><v>5</v></c></row>)")) ==
        "1,2\n,4\n5,\n");
  CHECK(csv_in(parts_with("")).empty());
  const std::string first = R"(<row><c><v>1</v></c></row>)";
  const std::string wide = R"(<row><c r="C2"><v>2</v></c></row>)";
  Parts named = parts_with(first + wide);
  std::string& sheet = named["xl/worksheets/sheet1.xml"];
  sheet.insert(sheet.find("<sheetData>"), R"(<dimension ref="A1:C2"/>)");
  CHECK(csv_in(named) == "1,,\n,,2\n");
  std::string rows;
  for (int n = 0; n < 20; ++n) rows += first;
  CHECK(csv_in(parts_with(rows + wide)).ends_with("1\n1\n,,2\n"));
  Parts old = parts_with(R"(<row r="1"><c r="A1" s="1"><v>0</v></c></row>)");
  old["xl/workbook.xml"].insert(old["xl/workbook.xml"].find("<sheets>"), "<workbookPr date1904=\"1\"/>");
  CHECK(csv_in(old) == "1904-01-01\n");
}

TEST_CASE_FIXTURE(InFolder, "a text that many cells share counts towards the limit of unpacked bytes") {
  std::string rows;
  for (int row = 0; row < 2000; ++row) rows += "<row><c t=\"s\"><v>0</v></c></row>";
  Parts parts = parts_with(rows);
  parts["xl/sharedStrings.xml"] = "<sst><si><t>" + std::string(1000, 'x') + "</t></si></sst>";
  const std::string path = write_book(folder, parts);
  WorkbookStream stream(path, {.most_expansion = 1.0, .free_bytes = 100'000});
  std::string block(4096, '\0');
  CHECK_THROWS_WITH_AS(while (stream.read(block) > 0){}, doctest::Contains("--max-expansion"), FormatError);
}

std::string sheet_of(const std::vector<std::vector<std::string>>& rows) {
  std::string bytes;
  WorkbookWriter writer([&bytes](std::string_view piece) { bytes += piece; });
  for (const std::vector<std::string>& row : rows) {
    for (const std::string& cell : row)
      if (cell.starts_with('#'))
        writer.add_number(cell.substr(1));
      else
        writer.add_text(cell);
    writer.end_row();
  }
  writer.finish();
  return bytes;
}

std::string csv_of_sheet(const std::string& bytes) {
  const TemporaryFolder folder;
  write_file(folder.file("sheet.xlsx"), bytes);
  WorkbookStream stream(folder.file("sheet.xlsx"), {});
  std::string csv(1'000'000, '\0');
  csv.resize(stream.read(csv));
  return csv;
}

TEST_CASE("a written sheet reads back the same whatever its cells hold") {
  CHECK(csv_of_sheet(sheet_of({{"id", "", "n"}, {"", "#7", "#-0.5"}, {"=1+1", "+x", " a b "}})) ==
        "id,,n\n,7,-0.5\n=1+1,+x,\" a b \"\n");
  CHECK(csv_of_sheet(sheet_of({})).empty());
  std::string all;
  for (char byte = 1; byte < 127; ++byte) all += byte;
  const std::vector<std::string> odd = {all + "é€😀\xEF\xBF\xBE\xEF\xBF\xBF",
                                        std::string("a\0b", 3),
                                        "_x0041_x0042_ _x005F_x000D_",
                                        "_x00_ _xZZZZ_ _x0041",
                                        "<t>&amp;&#13;]]>",
                                        "\r\n\t "};
  for (const std::string& text : odd) {
    std::string quoted;
    for (const char next : text) quoted += next == '"' ? "\"\"" : std::string(1, next);
    const bool needs = text.find_first_of("\",;\t\r\n") != std::string::npos;
    CHECK(csv_of_sheet(sheet_of({{"c", "end"}, {text, "x"}})) == "c,end\n" + (needs ? '"' + quoted + '"' : text) + ",x\n");
  }
  std::vector<std::string> wide(16384, "x");
  CHECK(std::ranges::count(csv_of_sheet(sheet_of({wide})), 'x') == 16384);
}

TEST_CASE("a sheet with ratings gives back texts that begin with an apostrophe") {
  const TemporaryFolder folder;
  OutputFile file(folder.file("work.xlsx"));
  WorkbookWriter sheet([&](std::string_view bytes) { file.append(bytes); });
  for (const char* const cell : {"text", "rating", "note"}) sheet.add_text(cell);
  sheet.end_row();
  for (const char* const cell : {"'=1", "1", "=2;'=3"}) sheet.add_text(cell);
  sheet.end_row();
  sheet.finish();
  file.close();
  const test::ReadDocuments read = test::read_documents({folder.file("work.xlsx")}, {.format = "csv"});
  REQUIRE(read.documents.size() == 1);
  CHECK(read.documents[0].text == "'=1");
  CHECK(read.documents[0].fields == R"({"rating":"1","note":"=2;'=3"})");
}

TEST_CASE("a text is cut into pieces that cells can hold, between characters") {
  using Pieces = std::vector<std::string_view>;
  const std::string most(32767, 'x');
  CHECK(cell_pieces("") == Pieces{""});
  CHECK(cell_pieces(most) == Pieces{most});
  CHECK(cell_pieces(most + most + "é") == Pieces{most, most, "é"});
  CHECK(cell_pieces(most.substr(1) + "😀y") == Pieces{most.substr(1), "😀y"});
  CHECK(cell_pieces(most.substr(1) + "éy") == Pieces{most.substr(1) + "é", "y"});
}

TEST_CASE("a value that a sheet cannot hold is refused with its cell and no file is finished") {
  const auto problem_of = [](const std::vector<std::vector<std::string>>& rows) {
    try {
      static_cast<void>(sheet_of(rows));
    } catch (const FormatError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string more = "; .csv and .jsonl have no such limit";
  CHECK(problem_of({{"a"}, {"", std::string(32767, 'x')}}).empty());
  CHECK(problem_of({{"a"}, {"", std::string(32768, 'x')}}) ==
        "cell B2: expected at most 32,767 characters in a cell of XLSX, found 32768" + more);
  std::string wide;
  for (int n = 0; n < 16384; ++n) wide += "😀";
  CHECK(problem_of({{wide}}) == "cell A1: expected at most 32,767 characters in a cell of XLSX, found 32768" + more);
  CHECK(problem_of({std::vector<std::string>(16385, "x")}) ==
        "cell XFE1: expected at most 16,384 columns in a sheet of XLSX, found 16385" + more);
  WorkbookWriter writer([](std::string_view) {});
  for (int row = 0; row < 1'048'576; ++row) writer.end_row();
  CHECK_THROWS_WITH_AS(writer.add_text("x"), doctest::Contains("cell A1048577: expected at most 1,048,576 rows"), FormatError);
  const auto write_to_full_disk = [] {
    WorkbookWriter full([left = 20](std::string_view) mutable {
      if (--left < 0) throw SystemError("disk", ENOSPC, "cannot write");
    });
    for (int row = 0; row < 100'000; ++row) {
      full.add_number(std::to_string(row * 7919 % 10007));
      full.end_row();
    }
    full.finish();
  };
  CHECK_THROWS_AS(write_to_full_disk(), SystemError);
}

TEST_CASE_FIXTURE(InFolder, "a workbook is read like CSV, with its fields") {
  const std::string path = write_book(
      folder,
      parts_with(R"(<row r="1"><c r="A1" t="inlineStr"><is><t>Title</t></is></c><c r="B1" t="inlineStr"><is><t>Abstract</t>)"
                 R"(</is></c><c r="C1" t="inlineStr"><is><t>Year</t></is></c></row>)"
                 R"(<row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" t="s"><v>2</v></c><c r="C2"><v>1999</v></c></row>)"));
  const test::ReadDocuments read = test::read_documents({path}, {.format = "csv"});
  CHECK(read.problem == "");
  REQUIRE(read.documents.size() == 1);
  CHECK(read.documents[0].text == "abc & d\ntwo\nlines, \r\"q\"");
  CHECK(read.documents[0].fields == R"({"Title":"abc & d","Year":"1999"})");
}

std::string deep_xml(int depth) {
  std::string xml;
  for (int n = 0; n < depth; ++n) xml += "<a>";
  return xml;
}

TEST_CASE_FIXTURE(InFolder, "a row of cells that share a long text is refused before it is written") {
  std::string row = "<row>";
  for (int cell = 0; cell < 4000; ++cell) row += "<c t=\"s\"><v>0</v></c>";
  Parts parts = parts_with(row + "</row>");
  parts["xl/sharedStrings.xml"] = "<sst><si><t>" + std::string(800'000, 'x') + "</t></si></sst>";
  const std::string path = write_book(folder, parts);
  for (const UnpackingLimits& limits :
       {UnpackingLimits{.most_expansion = 1.0, .free_bytes = 4'000'000}, UnpackingLimits{.most_memory = 4'000'000}}) {
    WorkbookStream stream(path, limits);
    std::string block(4096, '\0');
    CHECK_THROWS_AS(static_cast<void>(stream.read(block)), FormatError);
  }
}

TEST_CASE("more formats than any program writes are refused") {
  Parts parts = parts_with("<row><c><v>1</v></c></row>");
  std::string formats;
  for (int n = 0; n < 70'000; ++n) formats += "<xf/>";
  parts["xl/styles.xml"] = "<styleSheet><cellXfs>" + formats + "</cellXfs></styleSheet>";
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(WorkbookStream(write_book(folder, parts), {.most_memory = 4'000'000}),
                       doctest::Contains("xl/styles.xml: expected to read it in 4000000 bytes of memory"), OverBudget);
}

TEST_CASE("escapes of characters are replaced, however many there are") {
  std::string text;
  for (int n = 0; n < 100'000; ++n) text += "_x0041_";
  CHECK(cell_of("<c t=\"str\"><v>" + text + "</v></c>") == std::string(100'000, 'A'));
  CHECK(cell_of("<c t=\"str\"><v>_x_x0041_x004_x0042__xD800__x00G1_</v></c>") == "_xAx004B_xD800__x00G1_");
}

TEST_CASE("a workbook that is broken is refused with its row") {
  const std::string sheet = "xl/worksheets/sheet1.xml";
  const auto row = [](const std::string& cell) { return parts_with("<row r=\"7\">" + cell + "</row>"); };
  const auto with = [&](const std::string& part, const std::string& xml) {
    Parts parts = row("<c><v>1</v></c>");
    parts[part] = xml;
    return parts;
  };
  const std::vector<std::pair<Parts, std::string>> all = {
      {row(R"(<c r="B7" t="s"><v>3</v></c>)"), "book.xlsx:7:2: expected the number of one of 3 shared texts, found \"3\""},
      {row(R"(<c r="A7" t="s"><v>-1</v></c>)"), "book.xlsx:7:1: expected the number of one of 3 shared texts, found \"-1\""},
      {row(R"(<c r="A7" t="s"><v>x</v></c>)"), "book.xlsx:7:1: expected the number of one of 3 shared texts, found \"x\""},
      {row(R"(<c r="A7"><v>abc</v></c>)"), "book.xlsx:7:1: expected a number, found \"abc\""},
      {row(R"(<c r="XFE7"><v>1</v></c>)"), "book.xlsx:7:16385: expected at most 16384 columns, found more"},
      {with(sheet, "<worksheet><sheetData><row r=\"1\">"), "book.xlsx/" + sheet + ": expected intact XML, found its end cut"},
      {with(sheet, "<worksheet"), "book.xlsx/" + sheet + ": expected intact XML, found its end cut"},
      {with(sheet, "</worksheet>"), "book.xlsx/" + sheet + ": expected intact XML, found the end of nothing"},
      {with(sheet, "text"), "book.xlsx/" + sheet + ": expected intact XML, found text outside of it"},
      {with(sheet, "<>"), "book.xlsx/" + sheet + ": expected intact XML, found a tag without a name"},
      {with("xl/workbook.xml", "<workbook/>"), "book.xlsx: expected a sheet in the workbook, found none"},
      {with("xl/_rels/workbook.xml.rels", "<Relationships/>"), "book.xlsx: expected a sheet in the workbook, found none"},
      {with("xl/_rels/workbook.xml.rels", R"(<R><Relationship Id="rId2" Target="/xl/none.xml"/></R>)"),
       "book.xlsx: expected the sheet \"xl/none.xml\", found none"},
      {row("<c r=\"A7\"></x></y>"), "book.xlsx/" + sheet + ": expected intact XML, found the end of \"x\" where that of \"c\""},
      {row("<c r=\"A7\"></row>"), "book.xlsx/" + sheet + ": expected intact XML, found the end of \"row\""},
      {row("</row></sheetData></worksheet>"), "book.xlsx/" + sheet + ": expected intact XML, found the end of nothing"},
      {with(sheet, deep_xml(300)),
       "book.xlsx/" + sheet + ": expected at most 256 levels within one another, found more: save it as CSV"},
      {with("xl/sharedStrings.xml", "<sst><si>"), "book.xlsx/xl/sharedStrings.xml: expected intact XML, found its end cut"},
  };
  for (const auto& [parts, problem] : all) {
    CAPTURE(problem);
    CHECK(csv_in(parts).substr(0, 8 + problem.size()) == "refused " + problem);
  }
}

TEST_CASE("files of office programs are refused with a command that makes text of them even in folders and archives") {
  struct Office {
    std::string name;
    std::vector<std::pair<std::string, std::string>> files;
    std::string found;
  };
  const std::string types = "[Content_Types].xml";
  const std::vector<Office> all = {
      {"a.docx", {{types, "<T/>"}, {"word/document.xml", "<d/>"}}, "a DOCX file"},
      {"a.pptx", {{"ppt/presentation.xml", "<d/>"}, {types, "<T/>"}}, "a PPTX file"},
      {"a.xlsb", {{types, "<T/>"}, {"xl/workbook.bin", "x"}}, "an XLSB file"},
      {"a.ods", {{"mimetype", "application/vnd.oasis.opendocument.spreadsheet"}, {"content.xml", "<d/>"}}, "an ODS file"},
      {"a.odt", {{"mimetype", "application/vnd.oasis.opendocument.text"}, {"content.xml", "<d/>"}}, "an ODT file"},
      {"a.odp", {{"mimetype", "application/vnd.oasis.opendocument.presentation"}}, "an ODP file"},
      {"a.epub", {{"mimetype", "application/epub+zip"}, {"a.xhtml", "<d/>"}}, "an EPUB file"}};
  for (const Office& office : all) {
    CAPTURE(office.name);
    const TemporaryFolder folder;
    if (office.files.front().first == "mimetype")
      write_stored(folder.file(office.name), "mimetype", office.files.front().second);
    else
      test::write_archive(folder.file(office.name), "zip", "none", office.files);
    for (const std::string format : {"dir", "lines", "csv"}) {
      CHECK(test::read_documents({folder.file(office.name)}, {.format = format}).problem.find("found " + office.found) !=
            std::string::npos);
      CHECK(test::read_documents({folder.path().generic_string()}, {.format = format}).problem.find("found " + office.found) !=
            std::string::npos);
    }
  }
  const TemporaryFolder folder;
  test::write_archive(folder.file("a.epub"), "zip", "none", {{"mimetype", "x"}, {"META-INF/container.xml", "<c/>"}});
  CHECK(test::read_documents({folder.file("a.epub")}, {}).problem.find("found an EPUB file") != std::string::npos);
  test::write_archive(folder.file("a.tar"), "tar", "none",
                      {{"in/a.xlsx", test::packed("zip", "none", {{types, "<T/>"}, {"xl/workbook.xml", "<d/>"}})}});
  CHECK(test::read_documents({folder.file("a.tar")}, {}).problem.find("found an Office file") != std::string::npos);
  test::write_archive(folder.file("b.zip"), "zip", "none", {{"xl/notes.txt", "words"}});
  CHECK(test::read_documents({folder.file("b.zip")}, {}).texts() == std::vector<std::string>{"words"});
}

}  // namespace
}  // namespace inkling
