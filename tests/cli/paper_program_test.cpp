// The command `inkling-bench paper` as a user meets it.
#include <filesystem>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

ProgramResult paper(const Args& args, const std::string& out) {
  Args all = {"paper", "--out", out, "--quick", "--rounds", "60", "--trials", "3", "--data", out};
  std::filesystem::create_directories(out);
  all.insert(all.end(), args.begin(), args.end());
  return run_program(kInklingBenchProgram, all);
}

TEST_CASE_FIXTURE(InFolder, "paper writes curves and claims and a page with plots if it can be drawn") {
  const std::string out = folder.file("new/paper");
  const ProgramResult result = paper({"sparse", "exploration-probability"}, out);
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("FF-OFUL has less regret than tuned OFUL") != std::string::npos);
  CHECK(result.out.find("Claims of the paper: ") != std::string::npos);
  CHECK(result.out.find("Checks of ours: ") != std::string::npos);
  CHECK(text_of(out + "/sparse.csv").starts_with("chart,series,x,y,low,high\n"));
  CHECK(text_of(out + "/summary.json").find(R"("id":"sparse-beats-oful")") != std::string::npos);
  if (!std::filesystem::exists(out + "/index.html")) {  // matplotlib or Jinja2 is missing
    CHECK(result.err.find("install") != std::string::npos);
    return;
  }
  CHECK(result.err.empty());
  CHECK(text_of(out + "/sparse.svg").find("<svg ") != std::string::npos);
  const std::string page = text_of(out + "/index.html");
  CHECK(page.find("exploration-probability") != std::string::npos);
  CHECK(page.find("http://") == page.find("http://www.w3.org"));
}

TEST_CASE_FIXTURE(InFolder, "paper writes the same curves at 1 and 2 threads and after an earlier run") {
  const Args names = {"sparse", "two-stage"};
  Args one = names;
  one.insert(one.end(), {"--threads", "1"});
  Args two = names;
  two.insert(two.end(), {"--threads", "2"});
  CHECK(paper(one, folder.file("one")).exit_code == 0);
  CHECK(paper(two, folder.file("two")).exit_code == 0);
  for (const char* name : {"/sparse.csv", "/two-stage.csv"}) {
    const std::string text = text_of(folder.file("one") + name);
    CHECK(text == text_of(folder.file("two") + name));
    CHECK(paper(two, folder.file("one")).exit_code == 0);
    CHECK(text == text_of(folder.file("one") + name));
  }
}

TEST_CASE_FIXTURE(InFolder,
                  "a second run into the same folder at once is refused with the first one named and the curves are right") {
  const Args args = {"two-stage", "--threads", "1"};
  CHECK(paper(args, folder.file("alone")).exit_code == 0);
  const std::string expected = text_of(folder.file("alone") + "/two-stage.csv");
  ProgramResult other;
  std::thread at_once([&] { other = paper(args, folder.file("both")); });
  const ProgramResult one = paper(args, folder.file("both"));
  at_once.join();
  for (const ProgramResult& result : {one, other}) {
    CHECK((result.exit_code == 0 || result.exit_code == 4));
    CHECK((result.exit_code == 0) != holds(result.err, "found one (process "));
  }
  CHECK((one.exit_code == 0 || other.exit_code == 0));
  CHECK(text_of(folder.file("both") + "/two-stage.csv") == expected);
  CHECK(paper(args, folder.file("both")).exit_code == 0);
  CHECK(text_of(folder.file("both") + "/two-stage.csv") == expected);
}

TEST_CASE_FIXTURE(InFolder, "paper reports damaged trials and writes the same curves") {
  const std::string out = folder.file("out");
  CHECK(paper({"two-stage"}, out).exit_code == 0);
  const std::string expected = text_of(out + "/two-stage.csv");
  const std::string log = out + "/kept/trials/two-stage-main.jsonl";
  REQUIRE(std::filesystem::exists(log));
  flip_bit_of(log, 8 * static_cast<std::streamoff>(std::filesystem::file_size(log) - 100));
  const ProgramResult again = paper({"two-stage"}, out);
  CHECK(again.exit_code == 0);
  CHECK(holds(again.err, "two-stage-main.jsonl: 1 line damaged or there twice"));
  CHECK(text_of(out + "/two-stage.csv") == expected);
}

TEST_CASE_FIXTURE(InFolder, "paper leaves out figures without their data and says how to get it") {
  const ProgramResult result = paper({"human", "exploration-probability", "--json"}, folder.file("out"));
  CHECK(result.exit_code == 0);
  CHECK(result.out.find(R"("left_out":[{"name":"human")") != std::string::npos);
  CHECK(result.out.find("datasets/fetch movie-rationales") != std::string::npos);
}

TEST_CASE_FIXTURE(InFolder, "paper refuses names and numbers that it does not know") {
  const ProgramResult name = paper({"spares"}, folder.file("out"));
  CHECK(name.exit_code == 2);
  CHECK(name.err.find("did you mean") != std::string::npos);
  CHECK(paper({"--trials", "1"}, folder.file("out")).exit_code == 2);
  const ProgramResult data =
      run_program(kInklingBenchProgram, {"paper", "human", "--out", folder.file("out"), "--data", folder.file("nowhere")});
  CHECK(data.exit_code == 4);
}

}  // namespace
}  // namespace inkling::test
