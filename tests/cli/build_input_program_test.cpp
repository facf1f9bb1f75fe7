// The inputs of `inkling build`: detected formats, pools, wrong names, given words, standard input.
#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/io/archive_builder.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

namespace fs = std::filesystem;

const std::string kThree =
    "{\"id\":\"a\",\"text\":\"soil and compost\",\"label\":\"earth\"}\n"
    "{\"id\":\"b\",\"text\":\"sea and sail\",\"label\":\"water\"}\n"
    "{\"id\":\"c\",\"text\":\"soil and sea\",\"label\":\"water\"}\n";

// Whether two pools have the same arrays and words, which do not depend on their sources.
bool same_matrix(const std::string& one, const std::string& other) {
  for (const std::string name : {"indptr.npy", "indices.npy", "data.npy", "vocabulary.txt", "idf.npy"})
    if (text_of(fs::path(one) / name) != text_of(fs::path(other) / name)) return false;
  return true;
}

// A folder with three documents as JSONL, and the pool that they make.
struct ThreeDocuments {
  ThreeDocuments() {
    write(source, kThree);
    REQUIRE(build(source, "pool").exit_code == 0);
  }
  ProgramResult build(const std::string& from, const std::string& name, const Args& more = {}) const {
    return inkling(Args{"build", from, "--out", folder.file(name)} + more);
  }
  // Checks that the command is refused with a line that has these words.
  void check_refused(const ProgramResult& result, int code, const std::vector<std::string>& words) const {
    CAPTURE(result.err);
    CHECK(result.exit_code == code);
    CHECK(std::ranges::count(result.err, '\n') == 1);
    for (const std::string& word : words) {
      CAPTURE(word);
      CHECK(holds(result.err, word));
    }
  }

  TemporaryFolder folder;
  std::string source = folder.file("three.jsonl");
  std::string pool = folder.file("pool");
};

struct InThreeDocuments {
  const ThreeDocuments three;
};

TEST_CASE_FIXTURE(InThreeDocuments, "records in archives and folders are detected and the message says so") {
  fs::create_directory(three.folder.path() / "in");
  write(three.folder.file("in/stories.jsonl"), kThree);
  const std::vector<std::array<std::string, 3>> archives = {
      {"r.zip", "zip", "none"}, {"r.tar.gz", "tar", "gzip"}, {"r.tar.zst", "tar", "zstd"}, {"noname", "tar", "none"}};
  std::vector<std::string> sources = {"in"};
  for (const auto& [name, format, filter] : archives) {
    write_archive(three.folder.file(name), format, filter, {{"stories.jsonl", kThree}});
    sources.push_back(name);
  }
  for (const std::string& source : sources) {
    CAPTURE(source);
    const ProgramResult built = succeeded(three.build(three.folder.file(source), "of " + source));
    CHECK(holds(built.err, "reading 1 file of JSONL (detected; --format overrides)"));
    CHECK(same_matrix(three.folder.file("of " + source), three.pool));
  }
}

TEST_CASE_FIXTURE(InThreeDocuments, "the content of a file counts more than its name") {
  write(three.folder.file("three.txt"), kThree);
  write(three.folder.file("three"), kThree);
  write(three.folder.file("semi.csv"), "id;label;text\na;earth;soil and compost\nb;water;sea and sail\nc;water;soil and sea\n");
  write(three.folder.file("tabs.txt"),
        "id\tlabel\ttext\na\tearth\tsoil and compost\nb\twater\tsea and sail\nc\t\tsoil and sea\n");
  for (const auto& [name, found] : std::vector<std::pair<std::string, std::string>>{
           {"three.txt", "JSONL"}, {"three", "JSONL"}, {"semi.csv", "CSV with semicolons"}, {"tabs.txt", "TSV"}}) {
    CAPTURE(name);
    CHECK(holds(three.build(three.folder.file(name), "of " + name).err, fmt::format("reading {} (detected", found)));
    CHECK(same_matrix(three.folder.file("of " + name), three.pool));
  }
  const ProgramResult as_lines = three.build(three.folder.file("three.txt"), "lines", {"--format", "lines"});
  CHECK_FALSE(holds(as_lines.err, "detected"));
  CHECK(holds(as_lines.err, "documents    3\n"));
}

TEST_CASE_FIXTURE(InThreeDocuments, "a table without texts beside records, as in an archive of Rayyan, is left out and named") {
  std::filesystem::create_directory(three.folder.file("both"));
  write(three.folder.file("both/articles.ris"), "TY  - JOUR\nTI  - soil\nER  - \nTY  - JOUR\nTI  - sea\nER  - \n");
  write(three.folder.file("both/log.csv"), "created_at,user_id\n1,2\n");
  const ProgramResult built = three.build(three.folder.file("both"), "of both");
  CHECK(holds(built.err, "reading 2 files of RIS (detected"));
  CHECK(holds(built.err, "both/log.csv:1: left out: expected \"TY  - \""));
  CHECK(holds(built.err, "documents    2\n"));
}

TEST_CASE_FIXTURE(InThreeDocuments, "there is no message if the name and the content of a file agree") {
  CHECK(three.build(three.source, "again", {"--json"}).err.empty());
  write(three.folder.file("a.csv"), "text,id\nsome words,1\n");
  CHECK(three.build(three.folder.file("a.csv"), "csv", {"--json"}).err.empty());
  write(three.folder.file("a.tsv"), "text\tid\nsome words\t1\n");
  CHECK(three.build(three.folder.file("a.tsv"), "tsv", {"--json"}).err.empty());
}

TEST_CASE_FIXTURE(InThreeDocuments, "matrices in archives are detected") {
  for (const std::string format : {"svmlight", "mtx", "npz"}) {
    CAPTURE(format);
    const std::string file = three.folder.file("m." + format);
    REQUIRE(inkling({"export", three.pool, "--to", format, "--out", file}).exit_code == 0);
    const std::string packed = three.folder.file(format + ".zip");
    if (format == "npz")
      fs::rename(file, packed);
    else
      write_archive(packed, "zip", "none", {{"m", text_of(file)}});
    CHECK(holds(three.build(packed, "of " + format).err, "detected"));
    CHECK(text_of(three.folder.file("of " + format + "/data.npy")) == text_of(three.pool + "/data.npy"));
  }
}

TEST_CASE_FIXTURE(InThreeDocuments,
                  "a folder of different files is read as documents and a message names the file of another kind") {
  fs::create_directory(three.folder.path() / "in");
  write(three.folder.file("in/b.jsonl"), kThree);
  write(three.folder.file("in/a.txt"), "plain words");
  const ProgramResult built = succeeded(three.build(three.folder.file("in"), "mixed"));
  check_holds(built.err, {"each file is read as one document, although '",
                          "in/b.jsonl' holds JSONL (--format jsonl reads its records)", "documents    2\n"});
}

TEST_CASE_FIXTURE(InThreeDocuments, "a Parquet file and UTF-16 that is cut are refused by name with what to do") {
  write(three.folder.file("a.parquet"),
        "PAR1\x15\x04"
        "columns");
  three.check_refused(three.build(three.folder.file("a.parquet"), "p"), 3, {"a.parquet", "a Parquet file", "write it as JSONL"});
  write(three.folder.file("a.txt"), std::string("\xFF\xFE"
                                                "a\0b",
                                                5));
  three.check_refused(three.build(three.folder.file("a.txt"), "p", {"--format", "lines"}), 3,
                      {"a.txt", "expected UTF-16", "found its end within a character at byte 5"});
}

TEST_CASE_FIXTURE(InThreeDocuments,
                  "lists of objects and objects over several lines are refused with a command that converts them") {
  write(three.folder.file("list.json"), "[{\"text\":\"a b\"},{\"text\":\"c d\"}]\n");
  three.check_refused(three.build(three.folder.file("list.json"), "p"), 3, {"list.json:1", "jq -c '.[]'"});
  fs::create_directory(three.folder.path() / "in");
  write(three.folder.file("in/one.json"), "{\n  \"text\": \"a b\"\n}\n");
  const ProgramResult pretty = three.build(three.folder.file("in"), "p");
  CHECK(pretty.exit_code == 3);
  CHECK(holds(pretty.err, "jq -c ."));
}

TEST_CASE_FIXTURE(InThreeDocuments, "a pool is not taken for documents and is replaced only by force") {
  three.check_refused(three.build(three.pool, "p"), 2, {"is a pool, not documents", "inkling info", "--like POOL"});
  three.check_refused(three.build(three.pool, "p", {"--format", "dir"}), 2, {"is a pool"});
  three.check_refused(inkling({"build", three.pool, "--explain", "soil"}), 2,
                      {"is a pool", "inkling build --explain TEXT --like POOL"});

  const std::string before = text_of(three.pool + "/manifest.json");
  write(three.folder.file("other.txt"), "other words\n");
  const ProgramResult refused = three.build(three.folder.file("other.txt"), "pool");
  three.check_refused(refused, 2, {"--out", "is a pool of 3 documents already", "--force replaces it"});
  CHECK(text_of(three.pool + "/manifest.json") == before);
  CHECK(three.build(three.folder.file("other.txt"), "pool", {"--dry-run"}).exit_code == 0);
  CHECK(three.build(three.folder.file("other.txt"), "pool", {"--force", "--keep-text"}).exit_code == 0);
  CHECK(text_of(three.pool + "/vocabulary.txt") == "other\nwords\n");
  three.check_refused(three.build(three.source, "pool"), 2, {"a pool of 1 documents and their texts already"});
}

TEST_CASE_FIXTURE(InThreeDocuments, "labels that no document has are refused with the nearest one") {
  three.check_refused(three.build(three.source, "p", {"--topics", "waters"}), 2,
                      {"--topics", "no document has the label 'waters'", "did you mean water?"});
  three.check_refused(three.build(three.source, "p", {"--topics", "earth,fire"}), 2, {"'fire'", "there are earth, water"});
  three.check_refused(three.build(three.source, "p", {"--topics", "fire", "--dry-run"}), 2, {"'fire'"});
  write(three.folder.file("lines.txt"), "some words\n");
  three.check_refused(three.build(three.folder.file("lines.txt"), "p", {"--topics", "earth", "--format", "lines"}), 2,
                      {"none has a label"});
  const ProgramResult found = succeeded(three.build(three.source, "found", {"--topics", "water,water,earth"}));
  fs::create_directories(three.folder.path() / "in" / "sci");
  write(three.folder.file("in/sci/1"), "words");
  three.check_refused(three.build(three.folder.file("in"), "p", {"--topics", "sc"}), 2, {"did you mean sci?"});
  CHECK_FALSE(fs::exists(three.folder.file("p")));
}

TEST_CASE_FIXTURE(InThreeDocuments, "fields that are asked for and that no record has are refused with the nearest one") {
  write(three.folder.file("three.csv"), "id,text,label\na,soil and compost,earth\n");
  for (const std::string& source : {three.source, three.folder.file("three.csv")}) {
    CAPTURE(source);
    three.check_refused(three.build(source, "p", {"--label-field", "lable"}), 2,
                        {"--label-field: no record has the field 'lable'", "did you mean label?"});
    three.check_refused(three.build(source, "p", {"--id-field", "number"}), 2, {"--id-field", "there are id, label, text"});
    const int code = source == three.source ? 2 : 3;  // a table says it in its header
    three.check_refused(three.build(source, "p", {"--text-field", "body"}), code, {"body", "--text-field", "text"});
  }
  three.check_refused(three.build(three.source, "p", {"--text-field", "titel,text"}), 2,
                      {"--text-field: no record has the field 'titel'"});
  write(three.folder.file("lines.txt"), "some words\n");
  three.check_refused(three.build(three.folder.file("lines.txt"), "p", {"--label-field", "topic", "--format", "lines"}), 2,
                      {"is for formats with fields; the sources are read as lines"});
  write(three.folder.file("bare.jsonl"), "{\"text\":\"some words\"}\n");
  CHECK(three.build(three.folder.file("bare.jsonl"), "bare").exit_code == 0);
}

TEST_CASE_FIXTURE(InThreeDocuments, "an empty pool is an error with the reason unless it is allowed") {
  three.check_refused(three.build(three.source, "p", {"--min-df", "30000", "--ngrams", "1"}), 3,
                      {"three.jsonl", "5 in too few documents (--min-df)", "--allow-empty"});
  write(three.folder.file("empty.txt"), "");
  three.check_refused(three.build(three.folder.file("empty.txt"), "p"), 3, {"empty.txt", "found none", "--allow-empty"});
  write(three.folder.file("bad.jsonl"), "{}\n{}\n");
  three.check_refused(three.build(three.folder.file("bad.jsonl"), "p"), 3,
                      {"2 bad records were left out, the first at " + three.folder.file("bad.jsonl") + ":1: expected"});
  write(three.folder.file("empty.svm"), "");
  three.check_refused(three.build(three.folder.file("empty.svm"), "p"), 3, {"empty.svm", "--allow-empty"});
  CHECK_FALSE(fs::exists(three.folder.file("p")));
  CHECK(three.build(three.folder.file("empty.txt"), "p", {"--allow-empty"}).exit_code == 0);
  CHECK(inkling({"verify", three.folder.file("p")}).exit_code == 0);
  CHECK(three.build(three.folder.file("empty.svm"), "m", {"--allow-empty"}).exit_code == 0);
}

TEST_CASE_FIXTURE(InThreeDocuments, "a given vocabulary is the vocabulary of the pool") {
  const std::string words = write(three.folder.file("words"), "soil\nzebra\nsail\n");
  const ProgramResult built = succeeded(three.build(three.source, "given", {"--vocabulary", words, "--ngrams", "1"}));
  CHECK(text_of(three.folder.file("given/vocabulary.txt")) == "sail\nsoil\nzebra\n");
  check_holds(built.err, {"2 kept of 5 different terms; dropped 3 not in the vocabulary",
                          "1 of the 3 terms of the vocabulary are in no document"});
  CHECK(built.err.find("  terms ") == std::string::npos);
  check_holds(succeeded(three.build(three.source, "pairs")).err, {"  terms        words and pairs of neighbouring words; "});
  CHECK(inkling({"verify", three.folder.file("given")}).exit_code == 0);
  CHECK(three.build(three.source, "own", {"--vocabulary", three.pool + "/vocabulary.txt"}).exit_code == 0);
  CHECK(same_matrix(three.folder.file("own"), three.pool));
  three.check_refused(three.build(three.source, "p", {"--vocabulary", words, "--min-df", "2"}), 2, {"--min-df"});
}

TEST_CASE_FIXTURE(InThreeDocuments,
                  "new documents built with --like get the words and weights of a pool and both are scored as one") {
  const std::string fresh =
      write(three.folder.file("new.jsonl"), "{\"text\":\"unknown soil and sea\"}\n{\"text\":\"nothing\"}\n");
  CHECK(three.build(fresh, "shard", {"--like", three.pool}).exit_code == 0);
  CHECK(text_of(three.folder.file("shard/vocabulary.txt")) == text_of(three.pool + "/vocabulary.txt"));
  CHECK(text_of(three.folder.file("shard/idf.npy")) == text_of(three.pool + "/idf.npy"));
  CHECK(inkling({"verify", three.folder.file("shard")}).exit_code == 0);
  CHECK(three.build(three.source, "all", {"--like", three.pool}).exit_code == 0);
  CHECK(same_matrix(three.folder.file("all"), three.pool));
  const std::string events = write(three.folder.file("events.jsonl"), "{\"document\":0,\"reward\":1,\"features\":[\"soil\"]}\n");
  const ProgramResult scored =
      succeeded(inkling({"score", three.pool, three.folder.file("shard"), "--events", events, "--top", "5", "--format", "csv"}));
  CHECK(std::ranges::count(scored.out, '\n') == 5);
}

TEST_CASE_FIXTURE(InThreeDocuments, "new documents built with --like are weighted by the pool's recipe and not by the defaults") {
  REQUIRE(three.build(three.source, "raw", {"--like-scikit-learn"}).exit_code == 0);
  CHECK(three.build(three.source, "again", {"--like", three.folder.file("raw")}).exit_code == 0);
  CHECK(same_matrix(three.folder.file("again"), three.folder.file("raw")));
  CHECK(holds(inkling({"info", three.folder.file("again")}).out, "count (tf raw)"));
}

TEST_CASE_FIXTURE(InThreeDocuments, "options that --like sets are refused beside it and the pool that it names is not replaced") {
  for (const Args& more : std::vector<Args>{
           {"--min-df", "2"}, {"--stop-words", "english"}, {"--idf", "none"}, {"--vocabulary", "x"}, {"--like-scikit-learn"}})
    three.check_refused(three.build(three.source, "p", Args{"--like", three.pool} + more), 2, {more[0], "--like"});
  three.check_refused(three.build(three.source, "pool", {"--like", three.pool, "--force"}), 2, {"is the pool of --like"});
  write(three.folder.file("m.svm"), "1 1:1\n");
  REQUIRE(three.build(three.folder.file("m.svm"), "matrix").exit_code == 0);
  three.check_refused(three.build(three.source, "p", {"--like", three.folder.file("matrix")}), 2,
                      {"--like", "expected a pool made from text"});
  three.check_refused(three.build(three.folder.file("m.svm"), "p", {"--like", three.pool}), 2, {"--like", "is for text"});
}

TEST_CASE_FIXTURE(InThreeDocuments, "a text is explained with the pool of --like as with that of --out") {
  const ProgramResult like = succeeded(inkling({"build", "--explain", "soil zebra", "--like", three.pool}));
  CHECK(holds(like.out, "by the pool " + three.pool));
  CHECK(inkling({"build", "--explain", "soil zebra", "--out", three.pool}).out == like.out);
  three.check_refused(inkling({"build", "--explain", "soil", "--like", three.folder.file("typo")}), 4, {"typo"});
  three.check_refused(inkling({"build", "--explain", "soil", "--out", three.folder.file("typo")}), 4, {"typo"});
  const ProgramResult by_source = inkling({"build", three.source, "--explain", "soil", "--like", three.pool, "--json"});
  CHECK(holds(by_source.out, R"("term":"soil")"));
}

// Runs a command in a shell, in which PROGRAM stands for `inkling`.
ProgramResult shell(const std::string& command) {
  return run_program("/bin/sh", {"-c", "inkling() { \"" + std::string(kInklingProgram) + "\" \"$@\"; }; " + command});
}

TEST_CASE_FIXTURE(InThreeDocuments, "standard input is a source and its format is detected") {
  const std::string& folder = three.folder.path().string();
  write_archive(three.folder.file("a.tgz"), "tar", "gzip", {{"three.jsonl", kThree}});
  const std::vector<std::string> commands = {"cat three.jsonl | inkling build - --out p", "inkling build - --out p <three.jsonl",
                                             "gzip -c three.jsonl | inkling build - --out p",
                                             "cat a.tgz | inkling build - --out p",
                                             "cat three.jsonl | inkling build - --format jsonl --out p"};
  for (const std::string& command : commands) {
    CAPTURE(command);
    const ProgramResult built = succeeded(shell(fmt::format("cd '{}' && rm -rf p && {} --ngrams 1,2", folder, command)));
    CHECK(same_matrix(three.folder.file("p"), three.pool));
    CHECK_FALSE(holds(built.err, "0.0 MB/s"));
  }
}

TEST_CASE_FIXTURE(InFolder,
                  "pairs of words are terms by default where there is little text in files packed or not and in pipes") {
  write(folder.file("three.txt"), "red soil\nred soil\nred soil\n");
  const auto vocabulary = [&](const std::string& command) {
    succeeded(shell(fmt::format("cd '{}' && rm -rf p && {} --out p", folder.path().string(), command)));
    return text_of(folder.file("p/vocabulary.txt"));
  };
  CHECK(vocabulary("inkling build three.txt") == "red\nred soil\nsoil\n");
  CHECK(vocabulary("inkling build three.txt --like-scikit-learn") == "red\nsoil\n");
  CHECK(vocabulary("inkling build three.txt --ngrams 1") == "red\nsoil\n");
  CHECK(vocabulary("cat three.txt | inkling build - --format lines") == "red\nred soil\nsoil\n");
  CHECK(vocabulary("cat three.txt | inkling build - --format lines --memory 128M --threads 1") == "red\nred soil\nsoil\n");
  // 70 MB of text, packed to less than one.
  CHECK(vocabulary(
            "yes red soil red soil red soil red soil red soil red soil red soil red soil red soil | head -n 864000 | gzip -1 > "
            "large.gz && inkling build large.gz --format lines --max-df 1.0") == "red\nsoil\n");
}

TEST_CASE_FIXTURE(InThreeDocuments, "the format of a slow pipe is detected as soon as it has a line") {
  succeeded(shell("cd '" + three.folder.path().string() +
                  "' && { printf '{\"te'; sleep 0.2; printf 'xt\":\"slow words\"}\\n'; } | inkling build - --out p"));
  CHECK(text_of(three.folder.file("p/vocabulary.txt")) == "slow\nwords\n");
}

TEST_CASE_FIXTURE(InThreeDocuments, "standard input is refused if it has no known format or is named twice or is an output") {
  three.check_refused(shell("echo some words | inkling build - --out " + three.folder.file("p")), 2, {"'-'", "--format"});
  three.check_refused(inkling({"build", "-", "-", "--out", three.folder.file("p")}), 2, {"once"});
  three.check_refused(inkling({"build", three.source, "--out", "-"}), 2, {"--out", "standard output"});
}

TEST_CASE_FIXTURE(InThreeDocuments, "fields are read with the given separator") {
  const std::string tabs = write(three.folder.file("quoted.tsv"), "id\ttext\n1\t\"soil\tand\nsea\"\n");
  CHECK(three.build(tabs, "detected").exit_code == 0);
  CHECK(three.build(tabs, "tabs", {"--format", "csv", "--delimiter", "tab"}).exit_code == 0);
  CHECK(three.build(tabs, "short", {"--delimiter", "tab"}).exit_code == 0);
  CHECK(same_matrix(three.folder.file("tabs"), three.folder.file("short")));
  CHECK(same_matrix(three.folder.file("tabs"), three.folder.file("detected")));
  const std::string semicolons = write(three.folder.file("fields.csv"), "id;text\n1;soil and sea\n");
  CHECK(three.build(semicolons, "named", {"--delimiter", "semicolon"}).exit_code == 0);
  CHECK(three.build(semicolons, "typed", {"--delimiter", ";"}).exit_code == 0);
  CHECK(same_matrix(three.folder.file("named"), three.folder.file("typed")));
  three.check_refused(three.build(tabs, "p", {"--format", "tsv", "--delimiter", "pipe"}), 2, {"--delimiter", "csv"});
}

TEST_CASE_FIXTURE(InThreeDocuments, "text may come from several fields and from fields within objects and labels from lists") {
  const std::string nested =
      write(three.folder.file("n.jsonl"),
            "{\"title\":\"Big\",\"body\":{\"text\":\"soil\"},\"meta\":{\"n\":7,\"topics\":[\"x\",\"y\"]}}\n");
  const ProgramResult built = succeeded(
      three.build(nested, "nested", {"--text-field", "title,body.text", "--id-field", "meta.n", "--label-field", "meta.topics"}));
  CHECK(holds(built.err, "lists of labels: 1; the first label of each counts"));
  CHECK(text_of(three.folder.file("nested/vocabulary.txt")) == "big\nsoil\n");
  CHECK(text_of(three.folder.file("nested/documents/label_names.txt")) == "x\n");
}

TEST_CASE_FIXTURE(InThreeDocuments, "text in Windows-1252 is read with that encoding, and a missing source is a system error") {
  const std::string file = write(three.folder.file("w.txt"),
                                 "caf\xE9 \x93"
                                 "deja\x94\n");
  CHECK(holds(three.build(file, "detected").err, "read as windows-1252 (detected; --encoding names another)"));
  const ProgramResult plain = three.build(file, "plain", {"--encoding", "utf-8"});
  CHECK(holds(plain.err, "bad bytes    3 were no characters and became U+FFFD (--encoding names another encoding)"));
  CHECK(three.build(file, "right", {"--encoding", "cp1252"}).exit_code == 0);
  CHECK(text_of(three.folder.file("right/vocabulary.txt")) == "caf\u00E9\ndeja\n");

  three.check_refused(three.build(three.folder.file("missing"), "p"), 4, {"missing", "No such file"});
}

// What a file is read as is said once, also where a letter or a page names no encoding; and another one can be named.
TEST_CASE_FIXTURE(InThreeDocuments, "files in every form say what encoding was detected, and take the one that is named") {
  const std::string text = "\xED\xC9\xD2 \xC9 \xD0\xCF\xDE\xD7\xC1 \xCE\xC1\xDB\xC5\xCA \xDA\xC5\xCD\xCC\xC9";  // KOI8-R
  const std::string letter = "Subject: " + text + "\nFrom: a\n\n" + text + "\n\n";
  const std::vector<std::pair<std::string, std::string>> files = {
      {"l.txt", text + "\n"},
      {"l.csv", "title,abstract\n" + text + "," + text + "\n"},
      {"l.mbox", "From a Mon Jan  1 00:00:00 2024\n" + letter + "From a Mon Jan  1 00:00:00 2024\n" + letter},
      {"letters/a.eml", letter},
      {"pages/a.html", "<html><title>" + text + "</title><p>" + text + "</html>"}};
  for (const auto& [name, bytes] : files) {
    CAPTURE(name);
    std::filesystem::create_directories(std::filesystem::path(three.folder.file(name)).parent_path());
    const std::string source = write(three.folder.file(name), bytes);
    const std::size_t slash = name.find('/');
    const std::string given = slash == std::string::npos ? source : three.folder.file(name.substr(0, slash));
    const std::string pool = name.substr(slash + 1);  // npos + 1 is 0
    const std::string detected = succeeded(three.build(given, pool + ".detected")).err;
    CHECK(holds(detected, "read as KOI8-R (detected; --encoding names another)"));
    CHECK(detected.find("read as", detected.find("read as") + 1) == std::string::npos);
    const std::string other = succeeded(three.build(given, pool + ".named", {"--encoding", "koi8-r"})).err;
    CHECK_FALSE(holds(other, "read as"));
    for (const char* const way : {".detected", ".named"})
      CHECK(holds(text_of(three.folder.file(pool + way + "/vocabulary.txt")), "почва"));
  }
  std::string utf16 = "\xFF\xFE";
  for (const char byte : std::string("soil and sea\n")) utf16 += {byte, '\0'};
  CHECK(holds(three.build(write(three.folder.file("u.txt"), utf16), "utf16").err, "read as UTF-16, as its first two bytes say"));
}

}  // namespace
}  // namespace inkling::test
