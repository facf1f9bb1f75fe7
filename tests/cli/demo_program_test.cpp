// The command `inkling-bench demo` as a user meets it.
#include <filesystem>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include "io/corpus/text/function_words.hpp"
#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

/// The output from the table on.
std::string results_of(const std::string& out) { return out.substr(out.find("useless of first 25")); }

ProgramResult demo(const std::string& out, const std::string& threads, const std::string& readers = "2") {
  return inkling_bench({"demo", "--out", out, "--readers", readers, "--threads", threads});
}

/// The words or pairs of words that it says were learned.
std::vector<std::string> learned_words(const std::string& out) {
  std::istringstream lines(out.substr(out.find("Learned by inkling, first reader")));
  std::vector<std::string> words;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && !line.empty()) words.push_back(line.substr(2, line.find("  ", 2) - 2));
  return words;
}

TEST_CASE_FIXTURE(InFolder, "The demo screens a real review and finds the same at every number of threads") {
  const std::string out = folder.file("demo");
  const ProgramResult result = succeeded(demo(out, "2"));
  const bool is_drawn = result.err.empty();
  CHECK((is_drawn || result.err.find("python3-matplotlib") != std::string::npos));
  CHECK(std::filesystem::exists(out + "/found.svg") == is_drawn);
  for (const char* part :
       {"Oud et al. 2018", "950 records", "until all 19 others are found", "inkling, question", "inkling, marks", "asreview",
        "autotar", "random", "read for all", "records with it: included, others"}) {
    CAPTURE(part);
    CHECK(result.out.find(part) != std::string::npos);
  }
  CHECK(result.out.ends_with("inkling search " + out + "/pool\n"));
  CHECK(result.out.find('\x1b') == std::string::npos);
  CHECK(text_of(out + "/found.csv").starts_with("chart,series,x,y,low,high\nfound,inkling,"));
  CHECK(inkling({"show", out + "/pool", "0"}).out.find("Joint crisis plans") != std::string::npos);  // it keeps the texts

  const ProgramResult again = demo(out, "8");  // over the output of the first run
  CHECK(again.exit_code == 0);
  CHECK(results_of(again.out) == results_of(result.out));
}

TEST_CASE_FIXTURE(InFolder, "The demo names no function word or number as learned, and where Inkling loses to another method") {
  const std::string out = succeeded(demo(folder.file("demo"), "2", "3")).out;
  const std::vector<std::string> words = learned_words(out);
  CHECK(words.size() == 12);
  for (const std::string& word : words) {
    CAPTURE(word);
    CHECK_FALSE(says_nothing(word));
    CHECK(word.size() > 2);
  }
  CHECK(out.find("loses to asreview: ") != std::string::npos);
  CHECK(out.find("more useless records among the first 25") != std::string::npos);
}

}  // namespace
}  // namespace inkling::test
