// The command `inkling-bench demo` as a user meets it.
#include <cmath>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "io/corpus/text/function_words.hpp"
#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"
#include "tests/support/io/tests_path.hpp"

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

TEST_CASE_FIXTURE(InFolder, "The pool of the demo is the one that inkling build makes by default") {
  static_cast<void>(succeeded(demo(folder.file("demo"), "2", "1")));
  succeeded(inkling({"build", tests_path("../datasets/demo/Oud_2018.jsonl.gz"), "--text-field", "title,abstract", "--label-field",
                     "included", "--keep-text", "--out", folder.file("pool")}));
  const auto facts = [&](const std::string& pool) {
    const std::string info = succeeded(inkling({"info", folder.file(pool)})).out;
    return info.substr(info.find("  tokens "));  // what comes before names the folder and the file
  };
  CHECK(facts("demo/pool") == facts("pool"));
}

TEST_CASE_FIXTURE(InFolder, "The demo names no function word or number as learned") {
  const std::vector<std::string> words = learned_words(succeeded(demo(folder.file("demo"), "2")).out);
  CHECK(words.size() == 12);
  for (const std::string& word : words) {
    CAPTURE(word);
    CHECK_FALSE(says_nothing(word));
    CHECK(word.size() > 2);
  }
}

/// The means of the table, by method.
std::map<std::string, std::vector<double>> table_of(const std::string& out) {
  std::istringstream lines(results_of(out));
  std::map<std::string, std::vector<double>> rows;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && !line.empty()) {
    std::vector<double>& means = rows[line.substr(0, line.find("  "))];
    std::istringstream cells(line.substr(18));
    std::string mean, sign, error;
    while (cells >> mean >> sign >> error) means.push_back(std::stod(mean));
  }
  return rows;
}

TEST_CASE_FIXTURE(InFolder, "The demo says wherever another method needs less than Inkling, and nowhere else") {
  const std::string out = succeeded(demo(folder.file("demo"), "2", "3")).out;
  const auto rows = table_of(out);
  REQUIRE(rows.size() == 6);
  const std::vector<std::string> counts = {"among the first 25", "for a find, on average", "until all are found"};
  for (const std::string ours : {"inkling", "inkling, question", "inkling, marks"}) {
    for (const std::string other : {"asreview", "autotar", "random"}) {
      for (std::size_t n = 0; n < counts.size(); ++n) {
        CAPTURE(ours + " and " + other + " " + counts[n]);
        const double more = rows.at(ours).at(n) - rows.at(other).at(n);
        const std::regex said("  " + ours + " loses to " + other + ": [0-9.]+ ± [0-9.]+ more .*" + counts[n]);
        if (std::fabs(more) > 0.1) CHECK(std::regex_search(out, said) == (more > 0.0));  // as far as the rounded means say
      }
    }
  }
}

}  // namespace
}  // namespace inkling::test
