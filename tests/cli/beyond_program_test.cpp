// The command `inkling-bench beyond` as a user meets it.
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

ProgramResult beyond(const Args& args, const std::string& out) {
  Args all = {"beyond", "--out", out, "--quick", "--rounds", "40", "--trials", "2", "--data", out};
  std::filesystem::create_directories(out);
  all.insert(all.end(), args.begin(), args.end());
  return run_program(kInklingBenchProgram, all);
}

TEST_CASE_FIXTURE(InFolder, "beyond writes the same curves and claims at 1 and 2 threads and a page with its own title") {
  const Args names = {"paper-worlds", "searches"};
  Args one = names;
  one.insert(one.end(), {"--threads", "1"});
  Args two = names;
  two.insert(two.end(), {"--threads", "2"});
  const ProgramResult result = beyond(one, folder.file("one"));
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("the regret of inkling, untuned, is at most 1.1 times") != std::string::npos);
  CHECK(result.out.find("left out") != std::string::npos);
  CHECK(beyond(two, folder.file("two")).exit_code == 0);
  CHECK(text_of(folder.file("one") + "/paper-worlds.csv") == text_of(folder.file("two") + "/paper-worlds.csv"));
  if (const std::string page = folder.file("one") + "/index.html"; std::filesystem::exists(page)) {
    CHECK(text_of(page).find("Beyond the paper</h1>") != std::string::npos);
    CHECK(result.err.empty());
  }
  CHECK(text_of(folder.file("one") + "/summary.json").find(R"("command":"inkling-bench beyond paper-worlds)") !=
        std::string::npos);
}

TEST_CASE_FIXTURE(InFolder, "beyond reviews searches any reviews and reports that ASReview's package is missing") {
  std::filesystem::create_directory(folder.file("data"));
  for (const char* name : {"ships", "plants"}) {
    std::string records;
    for (int n = 0; n < 20; ++n) {
      const bool relevant = n % 4 == 0;
      records += std::string(R"({"title": "record )") + (relevant ? "roses" : "sails") + R"(", "abstract": "word)" +
                 std::to_string(n % 5) + R"(", "included": )" + (relevant ? "1}\n" : "0}\n");
    }
    write(folder.file("data/") + name + ".jsonl", records);
  }
  const auto reviews = [&](const std::string& out) {
    return run_program(kInklingBenchProgram, {"beyond", "reviews", "--quick", "--data", folder.file("data"), "--out", out,
                                              "--python", folder.file("no-python")});
  };
  const ProgramResult result = reviews(folder.file("out"));
  CHECK(result.exit_code == 0);
  CHECK(holds(result.err, "its row is missing"));
  CHECK(holds(result.out, "not comparable  Without marks, the loss is at most that of ASReview's elas_u4."));
  CHECK(holds(text_of(folder.file("out/summary.json")), R"(["plants","inkling, 3 marks",)"));
  CHECK(holds(text_of(folder.file("out/reviews.csv")), "reviews,\"inkling, 20 words\",100,100,"));
  write(folder.file("data/bad.jsonl"), "{\"title\": \"x\", \"included\": 5}\n");
  const ProgramResult bad = reviews(folder.file("other"));
  CHECK(bad.exit_code == 3);
  CHECK(holds(bad.err, "bad.jsonl:1:1: expected 0 or 1 in the field \"included\", found 5"));
}

TEST_CASE_FIXTURE(InFolder, "beyond knows its own figures") {
  CHECK(beyond({"sparse"}, folder.file("out")).exit_code == 2);
  CHECK(beyond({"serches"}, folder.file("out")).err.find("did you mean searches?") != std::string::npos);
}

}  // namespace
}  // namespace inkling::test
