// The command `inkling-bench demo` as a user meets it.
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

/// The output from the table on.
std::string results_of(const std::string& out) { return out.substr(out.find("useless of the first 25")); }

ProgramResult demo(const std::string& out, const std::string& threads) {
  return run_program(kInklingBenchProgram, {"demo", "--out", out, "--readers", "2", "--threads", threads});
}

TEST_CASE_FIXTURE(InFolder, "The demo goes from text to a pool to a search and finds the same at every number of threads") {
  const std::string out = folder.file("demo");
  const ProgramResult result = demo(out, "2");
  CHECK(result.exit_code == 0);
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
