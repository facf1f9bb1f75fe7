#include "io/corpus/source/document_source.hpp"

#include <filesystem>
#include <tuple>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "io/corpus/source/record_format.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/io/archive_builder.hpp"
#include "tests/support/io/bad_input_tables.hpp"
#include "tests/support/io/read_documents.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;
using test::documents_in;
using test::InFolder;
using test::read_documents;
using test::ReadDocument;
using test::ReadDocuments;

using Texts = std::vector<std::string>;

const SourceOptions lines = {.format = "lines"};

SourceOptions options_of(const std::string& format) { return {.format = format}; }

TEST_CASE("rows stay aligned with the lines of a file") {
  struct Case {
    std::string bytes;
    Texts texts;
  };
  const std::vector<Case> cases = {
      {"", {}},
      {"\n", {""}},
      {"a", {"a"}},
      {"a\n", {"a"}},
      {"a\n\nb\n", {"a", "", "b"}},
      {"a\r\nb\r\n", {"a", "b"}},
      {"\r\n\r\n", {"", ""}},
      {"a\rb\n", {"a\rb"}},
      {"a\r\r\n", {"a\r"}},
      {"a\r", {"a"}},
      {"\xEF\xBB\xBF"
       "a\nb",
       {"a", "b"}},
      {"\xEF\xBB\xBF", {}},
      {"a\0b\n"s, {"a\0b"s}},
      {"  a  \n# b\n", {"  a  ", "# b"}},
      {"é€😀\n", {"é€😀"}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.bytes);
    const ReadDocuments read = documents_in(one.bytes, lines);
    CHECK(read.texts() == one.texts);
    CHECK(read.problem.empty());
  }
}

TEST_CASE("broken text is replaced and counted on every path or refused with its place") {
  for (const test::BrokenText& broken : test::broken_texts) {
    const std::string bytes(broken.bytes);
    const std::string replaced(broken.replaced);
    CAPTURE(replaced);
    const std::vector<std::pair<std::string, std::string>> files = {{"lines", bytes},
                                                                    {"dir", bytes},
                                                                    {"jsonl", R"({"text":")" + bytes + R"("})"},
                                                                    {"csv", "text\n" + bytes},
                                                                    {"csv", "text,id\n\"" + bytes + "\",1"},
                                                                    {"tsv", "text\n" + bytes}};
    for (const auto& [format, text] : files) {
      CAPTURE(format);
      SourceOptions options = options_of(format);
      const ReadDocuments read = documents_in(text, options);
      CHECK(read.texts() == Texts{replaced});
      CHECK(read.bad_bytes == broken.bad);
      options.bad_bytes = BadBytes::refuse;
      const ReadDocuments refused = documents_in(text, options);
      CHECK(refused.documents.empty());
      CHECK(refused.problem.find(": expected UTF-8, found the byte 0x") != std::string::npos);
      options.reading.skip_bad = true;
      CHECK(documents_in(text, options).skipped == 1);
      CHECK(documents_in(text, options).problem.empty());
    }
  }
}

TEST_CASE("Latin-1 has no bad bytes") {
  SourceOptions options = lines;
  options.encoding = TextEncoding::latin1;
  options.bad_bytes = BadBytes::refuse;
  CHECK(documents_in("caf\xE9\n\xFF\nx", options).texts() == Texts{"café", "ÿ", "x"});
}

TEST_CASE("problems are reported with file and line and column") {
  SourceOptions options = lines;
  options.bad_bytes = BadBytes::refuse;
  const std::string text = "good\n\nab\xFF\ngood\n";
  for (const std::uint64_t chunk : {1U, 4U, 7U, 1000U}) {
    options.reading.chunk_bytes = chunk;
    CHECK(documents_in(text, options).problem == "in:3:3: expected UTF-8, found the byte 0xFF");
  }
  const auto folder = std::make_shared<const std::string>("folder");
  OutcomeCheck outcomes;
  outcomes.take(folder, {.lines = 10});
  CHECK_THROWS_WITH_AS(outcomes.take(folder, {.problem = ChunkProblem{.line = 2, .column = 7}}), doctest::Contains("folder:13:7"),
                       FormatError);
  CHECK_THROWS_WITH_AS(outcomes.take(folder, {.problem = ChunkProblem{.line = 2, .column = 7, .member = "a/b"}}),
                       doctest::Contains("folder/a/b:3:7"), FormatError);
}

TEST_CASE("a file unpacks to a million lines and as many more as it has bytes, and no further") {
  constexpr std::int64_t free_lines = std::int64_t{1} << 20U;
  const auto file = std::make_shared<const std::string>("in.gz");
  OutcomeCheck outcomes;
  outcomes.take(file, {.lines = free_lines, .disk_bytes = 10});
  outcomes.take(file, {.lines = 10, .disk_bytes = 10});
  CHECK_THROWS_WITH_AS(outcomes.take(file, {.lines = 1, .disk_bytes = 10}),
                       doctest::Contains("in.gz: expected at most one line for each packed byte beyond the first 1048576"),
                       FormatError);
  OutcomeCheck of_memory;
  CHECK_NOTHROW(of_memory.take(file, {.lines = 2 * free_lines}));
}

TEST_CASE_FIXTURE(InFolder, "the parser of each format says how many bytes of the disk its source has read") {
  write_file(folder.file("in"), "@a{b}\nFrom a 00:00 1970\n{}\nTY  -\nPMID-\nPT \n%0 \n\"TITLE\",\n");
  for (const RecordFormat& format : record_formats()) {
    SourceOptions options = {.format = std::string(format.name)};
    options.reading.skip_bad = true;
    const auto source = open_source({folder.file("in")}, options);
    Chunk chunk;
    REQUIRE(source->read(chunk));
    const ChunkOutcome outcome = source->parse(chunk, [](const SourceDocument&) {});
    CHECK(outcome.disk_bytes == fs::file_size(folder.file("in")));
    CHECK(outcome.lines > 0);
  }
}

TEST_CASE_FIXTURE(InFolder, "a file is a document with its path and the name of its folder") {
  fs::create_directories(folder.file("news/sci.med"));
  write_file(folder.file("news/sci.med/1"), "one\nline\r\n");
  write_file(folder.file("news/sci.med/2"), "\xEF\xBB\xBFtwo");
  write_file(folder.file("news/3"), "");
  const std::vector<ReadDocument> expected = {
      {"", "3", ""}, {"one\nline\r\n", "sci.med/1", "sci.med"}, {"two", "sci.med/2", "sci.med"}};
  SourceOptions options;
  for (const std::uint64_t chunk : {1U, 5U, 1000U}) {
    options.reading.chunk_bytes = chunk;
    CHECK(read_documents({folder.file("news")}, options).documents == expected);
  }
  options.labels = {"sci.med"};
  CHECK(read_documents({folder.file("news")}, options).documents.size() == 2);
  CHECK(read_documents({folder.file("news/sci.med/1"), folder.file("news/3")}, {}).documents ==
        std::vector<ReadDocument>{{"one\nline\r\n", "1", ""}, {"", "3", ""}});
}

TEST_CASE_FIXTURE(InFolder, "a problem in one of many files is reported with its path") {
  test::write_archive(folder.file("a.tar"), "tar", "gzip", {{"x/1", "good"}, {"x/2", "good\nb\xFF"}, {"x/3", "good"}});
  SourceOptions options;
  options.bad_bytes = BadBytes::refuse;
  CHECK(read_documents({folder.file("a.tar")}, options).problem ==
        folder.file("a.tar") + "/x/2:2:2: expected UTF-8, found the byte 0xFF");
  options.reading.skip_bad = true;
  CHECK(read_documents({folder.file("a.tar")}, options).documents.size() == 2);
}

TEST_CASE_FIXTURE(InFolder, "bytes at the end of a file and the start of the next do not form a character") {
  test::write_archive(folder.file("a.zip"), "zip", "none", {{"1", "\xC3"}, {"2", "\xA9"}});
  CHECK(read_documents({folder.file("a.zip")}, {}).texts() == Texts{"\xEF\xBF\xBD", "\xEF\xBF\xBD"});
}

TEST_CASE_FIXTURE(InFolder, "files of records in folders and archives are read one after the other") {
  fs::create_directory(folder.file("in"));
  write_file(folder.file("in/1.txt"), "a\nb");
  test::write_archive(folder.file("in/2.zip"), "zip", "none", {{"x", "c\n"}, {"y", "d"}});
  test::write_archive(folder.file("in/3.gz"), "raw", "gzip", {{"", "e\n\xFF\n"}});
  CHECK(read_documents({folder.file("in")}, lines).texts() == Texts{"a", "b", "c", "d", "e", "\xEF\xBF\xBD"});
  SourceOptions options = lines;
  options.bad_bytes = BadBytes::refuse;
  CHECK(read_documents({folder.file("in")}, options).problem ==
        folder.file("in/3.gz") + ":2:1: expected UTF-8, found the byte 0xFF");
}

TEST_CASE_FIXTURE(InFolder, "a table without texts is left out of an archive that is read leniently") {
  test::write_archive(folder.file("a.zip"), "zip", "none",
                      {{"articles.csv", "id,title\n1,A\n"}, {"log.csv", "user,value\nx,y\n"}});
  SourceOptions options = {.format = "csv", .reading = {.skip_bad = true}};
  const ReadDocuments read = read_documents({folder.file("a.zip")}, options);
  CHECK(read.texts() == Texts{"A"});
  REQUIRE(read.remarks.size() == 1);
  CHECK(read.remarks.front().starts_with(folder.file("a.zip/log.csv") + ": left out, all of it: expected a header line"));
  options.reading.skip_bad = false;
  CHECK(read_documents({folder.file("a.zip")}, options).problem.starts_with(folder.file("a.zip/log.csv") + ":1:1: expected"));
}

TEST_CASE("a record longer than the limit is refused by its line and named by its option") {
  const std::string longer(1000, 'x');
  for (const std::string format : {"lines", "jsonl", "csv", "tsv"}) {
    const bool json = format == "jsonl";
    const std::string text =
        json ? "{\"text\":\"a\"}\n{\"text\":\"" + longer + "\"}\n{\"text\":\"b\"}\n" : "text\na\n" + longer + "\nb\n";
    const std::string line = json ? "2" : "3";
    for (const std::uint64_t chunk : {1U, 10U, 100U, 5000U}) {
      CAPTURE(chunk);
      SourceOptions options = {.format = format, .reading = {.chunk_bytes = chunk, .most_document_bytes = 50}};
      const std::string at = format == "lines" ? "3" : line;
      CHECK(documents_in(text, options).problem ==
            "in:" + at + ":1: expected at most 50 bytes in a record (--max-document), found more");
      options.reading.skip_bad = true;
      const ReadDocuments read = documents_in(text, options);
      CHECK(read.skipped == 1);
      CHECK(read.texts().back() == "b");
    }
  }
  SourceOptions options = {.reading = {.most_document_bytes = 999}};
  CHECK(documents_in(longer, options).problem == "in:1:1: expected at most 999 bytes in a record (--max-document), found more");
  options.reading.most_document_bytes = 1000;
  CHECK(documents_in(longer, options).problem.empty());
  CHECK(documents_in("\xEF\xBB\xBF" + longer, options).problem.empty());
}

TEST_CASE("a reference longer than the limit is refused by its line and named by its option") {
  const std::vector<std::tuple<std::string, std::string, std::string>> formats = {
      {"ris", "TY  - A\nTI  - a\n", "TY  - A\nTI  - "},
      {"nbib", "PMID- 7\nTI  - a\n", "PMID- 7\nTI  - "},
      {"wos", "PT J\nTI a\n", "PT J\nTI "},
      {"enw", "%0 A\n%T a\n", "%0 A\n%T "},
      {"embase", "\"TITLE\",\"a\"\n\"PUI\"\n", "\"TITLE\",\"b\"\n\"ABSTRACT\","},
      {"bibtex", "@a{b,title={a}\n}\n", "@a{b,\ntitle = "}};
  for (const auto& [format, good, longer] : formats) {
    const std::string text = good + longer + std::string(1000, 'x') + "\n\n" + good;
    for (const std::uint64_t chunk : {1U, 10U, 100U, 5000U}) {
      CAPTURE(format);
      CAPTURE(chunk);
      SourceOptions options = {.format = format, .reading = {.chunk_bytes = chunk, .most_document_bytes = 50}};
      CHECK(documents_in(text, options).problem == "in:3:1: expected at most 50 bytes in a record (--max-document), found more");
      options.reading.skip_bad = true;
      const ReadDocuments read = documents_in(text, options);
      CHECK(read.skipped == 1);
      CHECK(read.texts() == Texts{"a", "a"});
    }
  }
}

TEST_CASE("a record that is too long names the option that the limit comes from") {
  const SourceOptions options = {.format = "lines",
                                 .reading = {.most_document_bytes = 5, .most_document_option = "an eighth of --memory"}};
  CHECK(documents_in("123456\n", options).problem ==
        "in:1:1: expected at most 5 bytes in a record (an eighth of --memory), found more");
}

TEST_CASE("a CSV record that is cut within a line end is too long and nothing else") {
  const std::string text = "text,id\n\"1234567\r\nmore\",7\nnext,8\n";
  for (std::uint64_t most = 7; most < 15; ++most) {
    CAPTURE(most);
    SourceOptions options = {.format = "csv", .reading = {.chunk_bytes = 1, .most_document_bytes = most}};
    CHECK(documents_in(text, options).problem ==
          "in:2:1: expected at most " + std::to_string(most) + " bytes in a record (--max-document), found more");
    options.reading.skip_bad = true;
    CHECK(documents_in(text, options).texts() == Texts{"next"});
  }
}

TEST_CASE("a label that a pool cannot store is refused where it stands and can be left out") {
  const std::vector<std::tuple<std::string, std::string, std::string>> files = {
      {"jsonl", "{\"text\":\"x\"}\n{\"text\":\"y\",\"label\":\"a\\nb\"}\n", "in:2:1"},
      {"csv", "text,label\nx,a\ny,\"a\nb\"\n", "in:3:1"}};
  for (const auto& [format, text, place] : files) {
    SourceOptions options = options_of(format);
    CHECK(documents_in(text, options).problem == place + ": expected a label without a line end, found \"a\\x0Ab\"");
    options.reading.skip_bad = true;
    CHECK(documents_in(text, options).texts() == Texts{"x"});
    CHECK(documents_in(text, options).skipped == 1);
  }
}

TEST_CASE_FIXTURE(InFolder, "a folder whose name is no label is refused and can be left out") {
  fs::create_directories(folder.file("in/a\nb"));
  write_file(folder.file("in/a\nb/1"), "text");
  write_file(folder.file("in/2"), "text");
  SourceOptions options;
  CHECK(read_documents({folder.file("in")}, options).problem ==
        folder.file("in/a\nb/1") + ":1:1: expected a label without a line end, found \"a\\x0Ab\"");
  options.reading.skip_bad = true;
  CHECK(read_documents({folder.file("in")}, options).documents == std::vector<ReadDocument>{{"text", "2", ""}});
}

TEST_CASE("a record of exactly the limit is accepted with any line end") {
  for (const std::string& end : {""s, "\n"s, "\r\n"s, "\r"s}) {
    for (const std::uint64_t chunk : {1U, 3U, 100U}) {
      const SourceOptions options = {.format = "lines", .reading = {.chunk_bytes = chunk, .most_document_bytes = 5}};
      CHECK(documents_in("12345" + end, options).texts() == Texts{"12345"});
      CHECK(documents_in("123456" + end, options).documents.empty());
      CHECK(documents_in("12345\rx" + end, options).documents.empty());
    }
  }
}

// A random piece of a file in some format, valid or not.
std::string random_piece(const RecordFormat& format, RandomStream& random) {
  if (format.name == "jsonl" && random.coin(0.7)) {
    const Texts records = {R"({"text":"a b"})",
                           R"({"text":"é","id":7})",
                           R"({"id":"x"})",
                           R"({"text":1})",
                           "",
                           "{}",
                           R"({"text":"\n","label":true})"};
    return records[random.below(records.size())] + "\n";
  }
  if (begins_with_mark(format.record_end) && random.coin(0.5)) {
    const Texts lines = {"TY  - JOUR",
                         "TI  - a",
                         "ER  - ",
                         "PT J",
                         "TI a",
                         "   b",
                         "ER",
                         "%0 Book",
                         "%T a",
                         "PMID- 1",
                         "\"TITLE\",\"a\"",
                         "From a@b Mon Jan  1 12:00:00 2024",
                         "Subject: a",
                         "AB  - b",
                         "      c",
                         "@a{b, title = {c}}",
                         "@string{x = {y}}",
                         "@a{b, title = x, ",
                         "year = 2001}",
                         "",
                         "  title = {z},"};
    return lines[random.below(lines.size())] + Texts{"\n", "\r\n", "\r"}[random.below(3)];
  }
  const Texts pieces = {"word", ",",    "\t", "\"",  "\"\"",   "\"a,b\nc\"", "\n",
                        "\r\n", "\xFF", "é",  "x,y", "\"q\",", "\0"s,        "long long long long"};
  return pieces[random.below(pieces.size())];
}

TEST_CASE("documents do not depend on where chunks are cut") {
  constexpr std::uint64_t seed = 77;
  for (std::uint64_t trial = 0; trial < 25; ++trial) {
    for (const RecordFormat& format : record_formats()) {
      CAPTURE(seed);
      CAPTURE(trial);
      CAPTURE(format.name);
      RandomStream random = test::stream_for(seed, trial);
      std::string text = !format.has_columns ? "" : format.name == "tsv" ? "text\tid\n" : "text,id\n";
      for (std::int32_t left = test::between(0, 30, random); left > 0; --left) text += random_piece(format, random);
      SourceOptions options = {.format = std::string(format.name), .reading = {.most_document_bytes = 40}};
      options.reading.skip_bad = random.coin(0.5);
      options.bad_bytes = random.coin(0.3) ? BadBytes::refuse : BadBytes::replace;
      const ReadDocuments whole = documents_in(text, options);
      for (const std::uint64_t chunk : {1U, 2U, 3U, 5U, 8U, 13U, 40U, 100U}) {
        options.reading.chunk_bytes = chunk;
        CAPTURE(text);
        CAPTURE(chunk);
        CHECK(documents_in(text, options) == whole);
      }
    }
  }
}

}  // namespace
}  // namespace inkling
