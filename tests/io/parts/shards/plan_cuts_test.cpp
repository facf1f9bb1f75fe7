#include "io/parts/shards/plan_cuts.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/core/random_stream.hpp"
#include "io/corpus/source/record_format.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/io/archive_builder.hpp"
#include "tests/support/io/read_documents.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::ReadDocuments;

constexpr std::uint64_t kMuchMemory = std::uint64_t{1} << 30U;

void never_interrupted() {}

void write_quickly(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  REQUIRE(file.flush().good());
}

ReadDocuments read_in_parts(const std::vector<std::string>& sources, const SourceOptions& source, const PartRequest& request) {
  ReadDocuments all;
  for (const PlanPart& part :
       parts_of(planned_files(sources, false, kMuchMemory, never_interrupted).files, source, request, never_interrupted)) {
    std::vector<FilePiece> pieces;
    for (const PlannedFile& file : part.files) pieces.push_back(file.piece);
    const ReadDocuments read = test::read_pieces(pieces, source);
    all.documents.insert(all.documents.end(), read.documents.begin(), read.documents.end());
    all.skipped += read.skipped;
    all.bad_bytes += read.bad_bytes;
    all.remarks.insert(all.remarks.end(), read.remarks.begin(), read.remarks.end());
    if (all.problem.empty()) all.problem = read.problem;
  }
  return all;
}

// Without the remark that a file may be cut: it compares the last record with those of the whole file.
ReadDocuments with_places_alone(ReadDocuments read) {
  std::erase_if(read.remarks, [](const std::string& remark) { return remark.find("the file may be cut") != std::string::npos; });
  return read;
}

// Random bytes with special meanings in some format: line ends, quotes, fields, byte order marks, broken characters.
std::string random_bytes(RandomStream& random, std::uint64_t most) {
  static const std::vector<std::string> pieces = {"\n",
                                                  "\n",
                                                  "\r\n",
                                                  "\"",
                                                  "\"\"",
                                                  ",",
                                                  "\t",
                                                  "a",
                                                  "word ",
                                                  "\xEF\xBB\xBF",
                                                  "\xFF",
                                                  "text",
                                                  "{\"text\":\"x\"}\n",
                                                  "\"a\nb\"",
                                                  "1,\"x\ny\",l\n",
                                                  "\nTY  - JOUR\nTI  - a\n",
                                                  "ER  - \n",
                                                  "\nPMID- 1\r\nTI  - a\n",
                                                  "\n@misc{a, title = {b} # s}\r",
                                                  "\n@string{s = {c}}\n",
                                                  "{\"text\":\"y\",\"id\":\"7\"}\r\n"};
  std::string text;
  for (std::uint64_t n = random.below(most); n > 0; --n) text += pieces[random.below(pieces.size())];
  return text;
}

std::string random_file(RandomStream& random, const std::string& format) {
  std::string text = random.coin(0.2) ? "\xEF\xBB\xBF" : "";
  if ((format == "csv" || format == "tsv") && random.coin(0.9)) text += format == "csv" ? "id,text,label\n" : "id\ttext\tlabel\n";
  return text + random_bytes(random, 60);
}

TEST_CASE_FIXTURE(test::InFolder, "a table without texts in a folder is left out of parts, too") {
  std::filesystem::create_directory(folder.file("d"));
  write_quickly(folder.file("d/articles.csv"), "id,title\n1,soil\n2,sea\n3,sail\n");
  write_quickly(folder.file("d/log.csv"), "user,value\nx,y\n");
  const SourceOptions source = {.format = "csv", .reading = {.skip_bad = true}};
  const ReadDocuments whole = with_places_alone(test::read_documents({folder.file("d")}, source));
  CHECK(whole.problem.empty());
  CHECK(with_places_alone(read_in_parts({folder.file("d")}, source, {.parts = 3})) == whole);
}

TEST_CASE_FIXTURE(test::InFolder, "parts of random files hold the documents of the whole, each once and in order") {
  RandomStream random(31, 0, RandomRole::pool);
  int cut = 0;
  for (int trial = 0; trial < test::cases(3000); ++trial) {
    CAPTURE(trial);
    SourceOptions source = {.format = std::string(record_formats()[random.below(record_formats().size())].name)};
    source.reading.skip_bad = random.coin(0.8);
    source.reading.chunk_bytes = 1 + random.below(40);
    if (random.coin(0.1)) source.reading.most_document_bytes = 1 + random.below(20);
    std::vector<std::string> sources;
    for (std::uint64_t n = 1 + random.below(3); n > 0; --n) {
      sources.push_back(folder.file("f" + std::to_string(n)));
      write_quickly(sources.back(), random_file(random, source.format));
    }
    const PartRequest request = random.coin(0.5) ? PartRequest{.parts = static_cast<std::int64_t>(1 + random.below(9))}
                                                 : PartRequest{.bytes = 1 + random.below(50)};
    const ReadDocuments whole = with_places_alone(test::read_documents(sources, source));
    const ReadDocuments parts = with_places_alone(read_in_parts(sources, source, request));
    REQUIRE(parts.problem.empty() == whole.problem.empty());
    if (!whole.problem.empty()) {
      // The part with the problem ends there, and names the same place.
      REQUIRE(parts.problem == whole.problem);
      continue;
    }
    REQUIRE(parts == whole);
    cut +=
        parts_of(planned_files(sources, false, kMuchMemory, never_interrupted).files, source, request, never_interrupted).size() >
                1
            ? 1
            : 0;
  }
  CHECK(cut > test::cases(1000));
}

TEST_CASE_FIXTURE(test::InFolder, "a quoted field with line ends is never split wherever a cut is wanted") {
  const std::string path = folder.file("a.csv");
  write_quickly(path, "id,text\n1,\"one\ntwo\n\"\"three\"\"\n\"\n2,\"\n\n\n\"\n3,plain\n");
  SourceOptions source = {.format = "csv"};
  const ReadDocuments whole = test::read_documents({path}, source);
  REQUIRE(whole.documents.size() == 3);
  for (std::int64_t parts = 1; parts < 80; ++parts) CHECK(read_in_parts({path}, source, {.parts = parts}) == whole);
}

TEST_CASE_FIXTURE(test::InFolder, "the first end of a record after each position is found as by a plain search") {
  RandomStream random(32, 0, RandomRole::pool);
  for (int trial = 0; trial < 300; ++trial) {
    const std::string text = random_bytes(random, 40);
    if (text.size() < 2) continue;
    write_quickly(folder.file("f"), text);
    for (const RecordEnd rule : {RecordEnd::every_line, RecordEnd::outside_quotes, RecordEnd::before_ris, RecordEnd::before_nbib,
                                 RecordEnd::before_bibtex}) {
      std::vector<std::uint64_t> ends;
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = first_record(std::string_view(text).substr(at), rule);
        at = length == std::string_view::npos ? text.size() : at + length;
        ends.push_back(at);
      }
      RecordEnds found(folder.file("f"), rule);
      for (std::uint64_t position = 1; position < text.size(); position += 1 + random.below(4))
        REQUIRE(found.at_or_after(position) == *std::ranges::lower_bound(ends, position));
    }
  }
}

TEST_CASE_FIXTURE(test::InFolder, "folders and archives and compressed files are divided by whole files") {
  const std::string root = folder.file("corpus");
  for (int n = 0; n < 20; ++n) {
    const std::string topic = root + "/topic" + std::to_string(n % 3);
    std::filesystem::create_directories(topic);
    write_quickly(topic + "/" + std::to_string(n) + ".txt", std::string(static_cast<std::size_t>(n), 'x'));
  }
  test::write_archive(root + "/topic1/more.tar", "tar", "gzip", {{"a/b.txt", "one"}, {"c.txt", "two"}});
  test::write_archive(folder.file("single.zip"), "zip", "none", {{"d/e.txt", "three"}});
  const std::vector<std::string> sources = {root, folder.file("single.zip")};
  const SourceOptions files;
  const ReadDocuments whole = test::read_documents(sources, files);
  REQUIRE(whole.documents.size() == 23);
  for (std::int64_t parts = 1; parts < 30; ++parts) CHECK(read_in_parts(sources, files, {.parts = parts}) == whole);

  test::write_archive(folder.file("lines.gz"), "raw", "gzip", {{"", "one\ntwo\nthree\nfour\n"}});
  write_quickly(folder.file("lines.txt"), "five\nsix\n");
  SourceOptions lines;
  lines.format = "lines";
  const std::vector<std::string> two = {folder.file("lines.gz"), folder.file("lines.txt")};
  for (std::int64_t parts = 1; parts < 9; ++parts)
    CHECK(read_in_parts(two, lines, {.parts = parts}).texts() ==
          std::vector<std::string>{"one", "two", "three", "four", "five", "six"});
}

TEST_CASE_FIXTURE(test::InFolder, "parts are about equal, and as many as wanted") {
  std::string text;
  for (int n = 0; n < 1000; ++n) text += "0123456789\n";
  write_quickly(folder.file("lines.txt"), text);
  SourceOptions lines;
  lines.format = "lines";
  const std::vector<PlannedFile> files = planned_files({folder.file("lines.txt")}, false, kMuchMemory, never_interrupted).files;
  const std::vector<PlanPart> parts = parts_of(files, lines, {.parts = 16}, never_interrupted);
  REQUIRE(parts.size() == 16);
  for (const PlanPart& part : parts) {
    CHECK(part.bytes() > 11'000 / 16 - 12);
    CHECK(part.bytes() < 11'000 / 16 + 12);
  }
  CHECK(parts_of(files, lines, {.bytes = 1100}, never_interrupted).size() == 10);
  CHECK(parts_of(files, lines, {.parts = 5000}, never_interrupted).size() == 1000);
}

TEST_CASE_FIXTURE(test::InFolder, "a plan of more files than its memory holds is refused") {
  for (int n = 0; n < 100; ++n) write_quickly(folder.file("f" + std::to_string(n)), "text");
  const std::vector<std::string> sources = {folder.path().generic_string()};
  CHECK(planned_files(sources, false, 200'000, never_interrupted).files.size() == 100);
  CHECK_THROWS_WITH_AS(static_cast<void>(planned_files(sources, false, 20'000, never_interrupted).files),
                       doctest::Contains("expected files of which a plan fits into --memory"), FormatError);
}

}  // namespace
}  // namespace inkling
