// The command `inkling-bench corpus` as a user meets it.
#include <algorithm>
#include <filesystem>
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

/// The output from the table on.
std::string results_of(const std::string& out) { return out.substr(out.find("useless of the first 25")); }

ProgramResult demo(const std::string& out, const std::string& threads) {
  return inkling_bench({"demo", "--out", out, "--readers", "2", "--threads", threads});
}

TEST_CASE_FIXTURE(InFolder, "The demo goes from text to a pool to a search and finds the same at every number of threads") {
  const std::string out = folder.file("demo");
  const ProgramResult result = succeeded(demo(out, "2"));
  const bool is_drawn = result.err.empty();
  CHECK((is_drawn || result.err.find("python3-matplotlib") != std::string::npos));
  CHECK(std::filesystem::exists(out + "/regret.svg") == is_drawn);
  for (const char* part : {"4,868 messages in five topics", "here the garden", "ff-oful", "asreview", "useless of the first 25",
                           "useless of 100", "found of 970", "Learned by inkling, first reader",
                           "messages with it: garden, others", "inkling-bench simulate --pool"}) {
    CAPTURE(part);
    CHECK(result.out.find(part) != std::string::npos);
  }
  CHECK(result.out.ends_with("inkling search " + out + "/pool\n"));
  CHECK(result.out.find('\x1b') == std::string::npos);
  for (const char* name : {"corpus.jsonl", "pool/manifest.json"}) CHECK(std::filesystem::exists(out + "/" + name));
  CHECK(text_of(out + "/regret.csv").starts_with("policy,ridge,round,regret,standard_error\n"));

  // The pool keeps the text of the messages.
  const std::string corpus = text_of(out + "/corpus.jsonl");
  const std::size_t text = corpus.find("\"text\":\"") + 8;
  const std::string first_words = corpus.substr(text, corpus.find('.', text) - text);
  CHECK(first_words.size() > 5);
  CHECK(inkling({"show", out + "/pool", "0"}).out.find(first_words) != std::string::npos);

  const ProgramResult again = demo(out, "8");  // over the output of the first run
  CHECK(again.exit_code == 0);
  CHECK(results_of(again.out) == results_of(result.out));
}

}  // namespace
}  // namespace inkling::test
