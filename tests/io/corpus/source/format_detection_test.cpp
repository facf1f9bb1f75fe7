#include "io/corpus/source/format_detection.hpp"

#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "io/base/file/output_file.hpp"
#include "tests/support/io/archive_builder.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::InFolder;
using test::write_archive;

const std::string kObjects = "{\"text\": \"a b\"}\n{\"text\": \"c\"}\n";

std::string format_of(const std::string& head, const SourceOptions& options = {}) {
  return std::string(look_at_content(head, options).format);
}

SourceLook look_at(const std::string& path) {
  return look_at_source(path, {}, [] {});
}

std::vector<std::string> formats_in(const SourceLook& look) {
  std::vector<std::string> formats;
  formats.reserve(look.files.size());
  for (const LookedAtFile& file : look.files) formats.emplace_back(file.content.format);
  return formats;
}

TEST_CASE("objects in lines, over lines and in lists are JSON") {
  CHECK(format_of(kObjects) == "jsonl");
  CHECK(format_of("\xEF\xBB\xBF\n  { \"text\" : \"a\" }") == "jsonl");
  CHECK(format_of("{\"text\": \"caf\xE9\"}\n") == "jsonl");
  CHECK(format_of("{\"text\": \"" + std::string(70000, 'x')) == "jsonl");
  CHECK(format_of("{\n  \"text\": \"a\"\n}\n") == "jsonl");
  CHECK(format_of("[\n  {\"text\": \"a\"}\n]\n") == "jsonl");
}

TEST_CASE("prose is no format whatever punctuation it has") {
  for (const std::string text : {"", "\n", "{", "{braces} in prose", "{\"quoted\" words} and more\n", "[1] a footnote\n", "[{\n",
                                 "{\"a\": 1} {\"b\": 2}\n", "Dear reader, text, and more\nsecond line\n", "a, text, b\n1,2\n",
                                 "text\na\n", "text,label\nonly one field\n", "1 2 3\n4 5 6\n", "12:30 lunch\n",
                                 "1 2:30 meeting\n", "7\n8\n", "%%Matrix\n", "PAR1 is a word\n", "PK is short\n"}) {
    CAPTURE(text);
    const ContentLook look = look_at_content(text, {});
    CHECK(look.format.empty());
    CHECK(look.foreign.empty());
  }
}

TEST_CASE("a header line that names a text is CSV and tells the separator") {
  const std::vector<std::pair<std::string, char>> cases = {{"id,text\n1,a\n", ','},     {"id;text;label\n1;a;b\n", ';'},
                                                           {"id|text\r\n1|a\r\n", '|'}, {"\"id\",\"text\"\n1,\"a\n", ','},
                                                           {"text,id\n", ','},          {"\"a,b\",text\n\"x,y\",z\n", ','}};
  for (const auto& [text, delimiter] : cases) {
    CAPTURE(text);
    CHECK(format_of(text) == "csv");
    CHECK(look_at_content(text, {}).delimiter == delimiter);
  }
  CHECK(format_of("id\ttext\n1\ta\n") == "tsv");
  CHECK(format_of("PMID,Title,Authors\n1,a,b\n") == "csv");
  CHECK(format_of("Abstract;Year\n\"a\";1\n") == "csv");
  CHECK(format_of("Title, and more\nprose, and more\n").empty());
  CHECK(format_of("Year,Title\n1,2\n").empty());
  SourceOptions options;
  options.text_field = "title,body";
  CHECK(format_of("title,body\na,b\n", options) == "csv");
  CHECK(format_of("title,text\na,b\n", options).empty());
  options.text_field = "2";
  CHECK(format_of("1,2\na,b\n", options).empty());
}

TEST_CASE("numbers as svmlight has them and the banner of MatrixMarket are matrices") {
  CHECK(format_of("1 1:0.5 7:2\n-1 3:1e-3 # comment\n") == "svmlight");
  CHECK(format_of("# comment\n+1 qid:3 1:0.5\n0\n") == "svmlight");
  CHECK(format_of("1,3 1:0.5\n") == "svmlight");
  CHECK(format_of("%%MatrixMarket matrix coordinate real general\n") == "mtx");
}

TEST_CASE("references are known by their first tag or entry, also after a few lines") {
  CHECK(format_of("TY  - JOUR\nTI  - a\n") == "ris");
  CHECK(format_of("\xEF\xBB\xBFTY  - JOUR\r\n") == "ris");
  CHECK(format_of("Provider: X\nContent: text/plain\n\n\nTY  - JOUR\n") == "ris");
  CHECK(format_of("1.\rTY  - JOUR\r") == "ris");
  CHECK(format_of("\nPMID- 123\nOWN - NLM\n") == "nbib");
  CHECK(format_of("PMID- none\n").empty());
  CHECK(format_of("@article{key,\n title = {a}}\n") == "bibtex");
  CHECK(format_of("% Encoding: UTF-8\n\n@InProceedings (key,\n") == "bibtex");
  CHECK(format_of("Scopus\nEXPORT DATE: 1 May\n\n@ARTICLE{A,\n") == "bibtex");
  for (const std::string text :
       {"@Override(x)\n", "@ann told me\n", "@media (min-width: 1px)\n", "TY - JOUR\n", " TY  - JOUR\n", "an @article{a, b}\n"}) {
    CAPTURE(text);
    CHECK(format_of(text).empty());
  }
  CHECK(format_of(std::string(5000, 'x') + "\nTY  - JOUR\n").empty());
}

TEST_CASE("kinds of files that cannot be read are known by their beginning") {
  CHECK(look_at_content(std::string("PAR1\x15\x04", 6), {}).foreign == "a Parquet file");
  CHECK(look_at_content("\xEF\xBB\xBF<?xml version=\"1.0\"?><xml><records><record/>", {}).format == "endnote-xml");
  CHECK(look_at_content("<?xml version=\"1.0\" ?>\n<PubmedArticleSet><PubmedBookArticle>", {}).format == "pubmed-xml");
  CHECK(look_at_content("<?xml version=\"1.0\"?><notes/>", {}).foreign.empty());
  const auto foreign_text = [](const char* text) { return std::string(look_at_content(text, {}).foreign); };
  CHECK(foreign_text("<?xml version=\"1.0\"?><modsCollection><mods/>") == "XML with MODS");
  CHECK(foreign_text("<rdf:RDF\n xmlns:rdf=\"x\">") == "RDF of Zotero");
  CHECK(foreign_text("Record #1 of 2\r\nID: CN-1\r\nAU: Doe J\r\n") == "text of Cochrane");
  CHECK(foreign_text("RT Journal Article\nSR 1\nA1 Doe, J\nT1 A\n") == "references of RefWorks");
  CHECK(foreign_text("1. BMJ. 2019;1(2):3.\n\nA title.\n\nPMID: 31\n") == "abstracts of PubMed");
  CHECK(foreign_text("1: Doe J. A title. BMJ. 2019;1(2):3. PMID: 31.\n") == "a summary of PubMed");
  CHECK(foreign_text("1. First, we look.\n") == "");
  CHECK_FALSE(look_at_content("%PDF-1.7", {}).remedy.empty());
}

TEST_CASE_FIXTURE(InFolder, "files of archives and folders are looked at by name and content") {
  for (const auto& [name, format, filter] :
       {std::tuple{"a.zip", "zip", "none"}, {"a.tar.gz", "tar", "gzip"}, {"a.tar.zst", "tar", "zstd"}}) {
    CAPTURE(name);
    write_archive(folder.file(name), format, filter, {{"in/a.jsonl", kObjects}, {"in/b.txt", "some words\n"}});
    const SourceLook look = look_at(folder.file(name));
    CHECK(look.many_files);
    CHECK(look.complete);
    CHECK(formats_in(look) == std::vector<std::string>{"jsonl", ""});
    CHECK(look.files.front().name == folder.file(name) + "/in/a.jsonl");
  }
  std::filesystem::create_directories(folder.path() / "d" / "sub");
  write_file(folder.file("d/sub/z.svm"), "1 1:1\n");
  write_file(folder.file("d/.hidden"), kObjects);
  write_file(folder.file("d/b.jsonl"), kObjects);
  write_file(folder.file("d/empty"), "");
  CHECK(formats_in(look_at(folder.file("d"))) == std::vector<std::string>{"jsonl", "svmlight"});
}

TEST_CASE_FIXTURE(InFolder, "a single file counts as one whether it is packed or not and however its path is written") {
  write_file(folder.file("a"), kObjects);
  write_archive(folder.file("b.gz"), "raw", "gzip", {{"", kObjects}});
  for (const std::string& path :
       {folder.file("a"), folder.path().generic_string() + "//a", folder.path().generic_string() + "/./a", folder.file("b.gz")}) {
    CAPTURE(path);
    const SourceLook look = look_at(path);
    CHECK_FALSE(look.many_files);
    CHECK(formats_in(look) == std::vector<std::string>{"jsonl"});
  }
}

TEST_CASE_FIXTURE(InFolder, "a zip of NumPy arrays is a matrix, also in a folder") {
  std::filesystem::create_directory(folder.path() / "d");
  write_archive(folder.file("d/m.zip"), "zip", "none", {{"data.npy", "\x93NUMPY1"}, {"indptr.npy", "\x93NUMPY2"}});
  const SourceLook alone = look_at(folder.file("d/m.zip"));
  CHECK_FALSE(alone.many_files);
  CHECK(formats_in(alone) == std::vector<std::string>{"npz"});
  CHECK(formats_in(look_at(folder.file("d"))) == std::vector<std::string>{"npz"});
}

TEST_CASE_FIXTURE(InFolder, "only the first of many files are looked at and the look says so") {
  for (int n = 0; n < 300; ++n) std::ofstream(folder.file(fmt::format("{:03}", n))) << "words";
  const SourceLook look = look_at(folder.path().generic_string());
  CHECK(look.files.size() == 64);
  CHECK(look.files.front().name == folder.file("000"));
  CHECK_FALSE(look.complete);
}

TEST_CASE_FIXTURE(InFolder, "a file that cannot be read gives no format") {
  CHECK(look_at(folder.file("missing")).files.empty());
  write_file(folder.file("bad.gz"), "\x1F\x8B\x08 damaged");
  for (const LookedAtFile& file : look_at(folder.file("bad.gz")).files) CHECK(file.content.format.empty());
  CHECK(look_at("/dev/null").files.empty());
}

}  // namespace
}  // namespace inkling
