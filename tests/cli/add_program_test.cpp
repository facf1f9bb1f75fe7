// `inkling add`: a pool with added records equals the pool that one build makes of all records with the same words, and
// searches of the old pool go on in the new one.
#include <algorithm>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

struct Grown {
  Grown() {
    const std::string all = text_of(kTinyCorpus);
    std::size_t middle = 0;
    for (int line = 0; line < 12; ++line) middle = all.find('\n', middle) + 1;
    write(first, all.substr(0, middle));
    write(later, all.substr(middle));
    REQUIRE(inkling({"build", first, "--keep-text", "--out", pool}).exit_code == 0);
  }
  [[nodiscard]] ProgramResult search(const std::string& in, const std::string& lines) const {
    const std::string input = write(folder.file("lines"), lines);
    return run_program("/bin/sh", {"-c", R"(exec "$0" search "$1" < "$2")", kInklingProgram, in, input});
  }

  TemporaryFolder folder;
  std::string first = folder.file("first.jsonl");
  std::string later = folder.file("later.jsonl");
  std::string pool = folder.file("pool");
};

// The offers in answers, without their event numbers.
std::string offers_in(std::string answers) {
  const std::string number = ",\"sequence\":";
  for (std::size_t at = answers.find(number); at != std::string::npos; at = answers.find(number, at))
    answers.erase(at, answers.find('\n', at) - at);
  return answers;
}

TEST_CASE("a pool with added records equals one of all records with the same words bit for bit") {
  const Grown grown;
  const std::string whole = grown.folder.file("whole");
  REQUIRE(inkling({"build", grown.first, grown.later, "--keep-text", "--like", grown.pool, "--out", whole}).exit_code == 0);
  const std::string more = grown.folder.file("more");
  CHECK(holds(succeeded(inkling({"add", grown.pool, grown.later, "--out", more})).err, "20 documents, 8 of them new"));
  CHECK(inkling({"verify", more}).exit_code == 0);
  for (const char* const file : {"indptr.npy", "indices.npy", "data.npy", "by_feature/indptr.npy", "by_feature/indices.npy",
                                 "by_feature/data.npy", "vocabulary.txt", "idf.npy", "documents/ids.npy", "documents/texts.npy",
                                 "documents/labels.npy", "documents/label_names.txt"}) {
    CAPTURE(file);
    CHECK(text_of(more + "/" + file) == text_of(whole + "/" + file));
  }
  CHECK(std::filesystem::exists(more + ".added") == false);
}

TEST_CASE("a search goes on after records were added like one of all records with the same ratings") {
  const Grown grown;
  const std::string ratings =
      "{\"rate\": 1, \"document\": 3, \"words\": [\"soil\"]}\n{\"rate\": 0, \"document\": 5}\n"
      "{\"rate\": 1, \"document\": 7}\n";
  std::string rounds;
  for (int round = 0; round < 10; ++round) rounds += "{\"rate\": " + std::to_string(round % 2) + "}\n";
  const std::string whole = grown.folder.file("whole");
  REQUIRE(inkling({"build", grown.first, grown.later, "--keep-text", "--like", grown.pool, "--out", whole}).exit_code == 0);
  REQUIRE(grown.search(grown.pool, ratings).exit_code == 0);
  REQUIRE(inkling({"add", grown.pool, grown.later}).exit_code == 0);
  const ProgramResult gone_on = grown.search(grown.pool, "{\"skip\": true}\n" + rounds);
  REQUIRE(grown.search(whole, ratings).exit_code == 0);
  const ProgramResult anew = grown.search(whole, "{\"skip\": true}\n" + rounds);
  CAPTURE(gone_on.err);
  REQUIRE(gone_on.exit_code == 0);
  CHECK(holds(gone_on.out, "\"document\""));
  CHECK(offers_in(gone_on.out) == offers_in(anew.out));
  CHECK(holds(inkling({"add", grown.pool, grown.first}).err, "no new records; 12 were there already"));
  REQUIRE(
      inkling({"add", grown.pool, write(grown.folder.file("one.jsonl"), "{\"id\": \"z\", \"text\": \"soil\"}\n")}).exit_code ==
      0);
  CHECK(grown.search(grown.pool, "{\"next\": true}\n").exit_code == 0);
}

TEST_CASE("the work and the report of a search hold the records that were added since") {
  const Grown grown;
  REQUIRE(grown.search(grown.pool, "{\"rate\": 1, \"document\": 3}\n{\"rate\": 0, \"document\": 5}\n").exit_code == 0);
  REQUIRE(inkling({"add", grown.pool, grown.later}).exit_code == 0);
  const std::string report = grown.folder.file("report.json");
  succeeded(inkling({"sessions", grown.pool, "--write", "report", "--out", report}));
  for (const char* const part : {"\"identified\":12,", "\"identified\":8,", "\"identified\":20,", "\"records\":20,",
                                 "\"screened\":2,", "\"not_screened\":18,"})
    CHECK(holds(text_of(report), part));
  const std::string work = grown.folder.file("work.csv");
  succeeded(inkling({"sessions", grown.pool, "--write", "work", "--which", "unread", "--out", work}));
  CHECK(std::ranges::count(text_of(work), '\n') == 1 + 18);
}

TEST_CASE("records are added to pools of text alone and invalid ones leave the pool unchanged") {
  const Grown grown;
  const std::string before = text_of(grown.pool + "/manifest.json");
  const std::string broken = write(grown.folder.file("broken.jsonl"), "{\"id\": \"x\", \"text\": \"soil\"}\n{\"id\": \n");
  check_refused(inkling({"add", grown.pool, broken, "--strict"}), 3, {broken + ":2:"});
  CHECK(text_of(grown.pool + "/manifest.json") == before);
  const std::string matrix = grown.folder.file("matrix");
  REQUIRE(inkling({"build", write(grown.folder.file("m.svm"), "1 1:0.5 2:1\n0 2:1\n"), "--out", matrix}).exit_code == 0);
  check_refused(inkling({"add", matrix, grown.later}), 2, {"expected a pool made from text"});
  CHECK(inkling({"add", grown.pool}).exit_code == 2);
}

}  // namespace
}  // namespace inkling::test
