// The command `inkling-bench corpus` as a user meets it.
#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

ProgramResult corpus(const Args& args) { return inkling_bench(Args{"corpus"} + args); }

TEST_CASE_FIXTURE(InFolder, "corpus writes the requested number of documents to standard output and the same ones to a file") {
  const ProgramResult printed = succeeded(corpus({"--documents", "600", "--threads", "8"}));
  CHECK(printed.err.empty());
  CHECK(std::ranges::count(printed.out, '\n') == 600);
  CHECK(succeeded(corpus({"--documents", "600", "--threads", "1", "--out", folder.file("corpus.txt")})).out.empty());
  CHECK(text_of(folder.file("corpus.txt")) == printed.out);
}

TEST_CASE("corpus writes whole documents until a size is reached, and its options reach the text") {
  const ProgramResult result = succeeded(corpus({"--bytes", "100K", "--format", "jsonl"}));
  CHECK(result.out.size() >= 100U * 1024);
  CHECK(result.out.size() < 150U * 1024);
  CHECK(result.out.starts_with(R"({"id":"d0","label":"topic-)"));
  CHECK(result.out.ends_with("\"}\n"));
  CHECK(corpus({"--bytes", "100K", "--documents", "2"}).out.size() < 10'000);

  CHECK(corpus({"--documents", "5"}).out != corpus({"--documents", "5", "--seed", "2"}).out);
  CHECK(corpus({"--documents", "5", "--format", "jsonl", "--topics", "0"}).out.find("label") == std::string::npos);
  CHECK(corpus({"--documents", "9", "--mean-length", "5"}).out.size() <
        corpus({"--documents", "9", "--mean-length", "500"}).out.size() / 20);
}

TEST_CASE("A bad option of corpus exits 2 and a file that cannot be written exits 4") {
  for (const Args& args : {Args{"--bytes", "4X"}, Args{"--bytes", "0"}, Args{"--vocabulary", "10"}, Args{"--documents", "0"},
                           Args{"--format", "csv"}}) {
    const ProgramResult result = corpus(args);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(std::ranges::count(result.err, '\n') == 1);
    CHECK(result.err.find(args[0]) != std::string::npos);
  }
  const ProgramResult unwritable = corpus({"--out", "no/such/folder/corpus.txt"});
  CHECK(unwritable.exit_code == 4);
  CHECK(unwritable.err.find("no/such/folder/corpus.txt") != std::string::npos);
  CHECK(run_program_into("/dev/full", kInklingBenchProgram, {"corpus"}).exit_code == 4);
}

}  // namespace
}  // namespace inkling::test
