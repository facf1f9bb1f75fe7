// No command overwrites its inputs, even if input and output are different names of the same file.
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/cli/score_pools.hpp"

namespace inkling::test {
namespace {

// Checks that the command is refused with a message that names both files, and that neither file is changed.
void check_refused(const Args& args, const std::string& output, const std::string& input, const std::vector<std::string>& kept) {
  std::vector<std::string> before;
  before.reserve(kept.size());
  for (const std::string& path : kept) before.push_back(text_of(path));
  check_refused(inkling(args), 2, {output, input});
  for (std::size_t n = 0; n < kept.size(); ++n) CHECK(text_of(kept[n]) == before[n]);
}

TEST_CASE_FIXTURE(InTinyPool, "scores never replace the events that they are made from") {
  const std::string users = tiny.folder.file("users");
  std::filesystem::create_directory(users);
  const std::string anna = users + "/anna.jsonl";
  const std::string ben = users + "/ben.jsonl";
  std::filesystem::copy_file(tiny.events, anna);
  std::filesystem::copy_file(tiny.events, ben);
  check_refused({"score", tiny.pool, "--events", anna, "--events", ben, "--split", "--out", users}, anna, "--events",
                {anna, ben});
  check_refused({"score", tiny.pool, "--events", anna, "--events", ben, "--split", "--out", users + "/../users/."}, "anna",
                "--events", {anna, ben});
  check_refused({"score", tiny.pool, "--events", anna, "--out", anna}, "--out " + anna, "--events " + anna, {anna});
  const std::string link = tiny.folder.file("link.jsonl");
  std::filesystem::create_symlink(anna, link);
  check_refused({"score", tiny.pool, "--events", anna, "--out", link}, link, anna, {anna});
  const std::string hard = tiny.folder.file("hard.jsonl");
  std::filesystem::create_hard_link(anna, hard);
  check_refused({"score", tiny.pool, "--events", hard, "--out", anna}, anna, hard, {anna});
  CHECK(inkling({"score", tiny.pool, "--events", anna, "--split", "--out", tiny.folder.file("scores")}).exit_code == 0);
}

TEST_CASE_FIXTURE(InTinyPool, "scores replace older scores but never a file of events even if it is not read") {
  const std::string other = tiny.folder.file("other.jsonl");
  write(other, "\n{\"id\":\"garden-01\",\"reward\":1}\n");
  check_refused({"score", tiny.pool, "--events", tiny.events, "--out", other}, other, "holds events", {other});
  write(other, "{\"pool\":\"0123456789abcdef\"}\n");
  check_refused({"score", tiny.pool, "--events", tiny.events, "--out", other}, other, "holds events", {other});
  const std::string scores = tiny.folder.file("scores.jsonl");
  for (int round = 0; round < 2; ++round) CHECK(tiny.score({"--out", scores, "--explain"}).exit_code == 0);
}

TEST_CASE_FIXTURE(InTinyPool, "no output lies in a pool or is one of its files") {
  const std::string data = tiny.pool + "/data.npy";
  const std::string manifest = tiny.pool + "/manifest.json";
  check_refused({"export", tiny.pool, "--to", "mtx", "--out", data}, data, tiny.pool, {data});
  const std::string words = tiny.pool + "/vocabulary.txt";
  check_refused({"export", tiny.pool, "--to", "words", "--out", words}, words, tiny.pool, {words});
  check_refused({"score", tiny.pool, "--events", tiny.events, "--out", manifest}, manifest, tiny.pool, {manifest});
  check_refused({"score", tiny.pool, "--events", tiny.events, "--split", "--out", tiny.pool + "/scores"}, "scores", tiny.pool,
                {manifest});
  const std::string hard = tiny.folder.file("hard.npy");
  std::filesystem::create_hard_link(data, hard);
  check_refused({"export", tiny.pool, "--to", "mtx", "--out", hard}, hard, data, {data});
  const std::string other = tiny.folder.file("other");
  REQUIRE(inkling({"build", kTinyCorpus, "--out", other}).exit_code == 0);
  const std::string others = other + "/by_feature/data.npy";
  check_refused({"export", tiny.pool, "--to", "mtx", "--out", others}, others, other, {others});
  CHECK(inkling({"verify", tiny.pool}).exit_code == 0);
  CHECK(inkling({"verify", other}).exit_code == 0);
}

TEST_CASE_FIXTURE(InTinyPool, "a matrix or its words go to standard output on request and are appended there") {
  const std::string file = tiny.folder.file("x.svm");
  REQUIRE(inkling({"export", tiny.pool, "--to", "svmlight", "--out", file}).exit_code == 0);
  CHECK(inkling({"export", tiny.pool, "--to", "svmlight", "--out", "-"}).out == text_of(file));
  const std::string words = tiny.folder.file("words");
  REQUIRE(inkling({"export", tiny.pool, "--to", "words", "--out", words}).exit_code == 0);
  CHECK(inkling({"export", tiny.pool, "--to", "words", "--out", "-"}).out == text_of(words));
  CHECK_FALSE(std::filesystem::exists("-"));
  const std::string log = write(tiny.folder.file("log"), "first\n");
  succeeded(
      run_program("/bin/sh", {"-c", std::string(kInklingProgram) + " export " + tiny.pool + " --to mtx --out - >> " + log}));
  CHECK(text_of(log).starts_with("first\n%%MatrixMarket"));
}

}  // namespace
}  // namespace inkling::test
