// The command `inkling-bench paper` as a user meets it.
#include <filesystem>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

ProgramResult quick(const char* programme, const Args& args, const std::string& out) {
  std::filesystem::create_directories(out);
  return inkling_bench(Args{programme, "--out", out, "--quick", "--rounds", "60", "--trials", "3", "--data", out} + args);
}

ProgramResult paper(const Args& args, const std::string& out) { return quick("paper", args, out); }
ProgramResult beyond(const Args& args, const std::string& out) { return quick("beyond", args, out); }

TEST_CASE_FIXTURE(InFolder, "paper writes curves and claims and a page with plots if it can be drawn") {
  const std::string out = folder.file("new/paper");
  const ProgramResult result = succeeded(paper({"sparse", "exploration-probability"}, out));
  check_holds(result.out, {"FF-OFUL has less regret than tuned OFUL", "Claims of the paper: ", "Checks of ours: "});
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
  CHECK(holds(succeeded(paper({"two-stage"}, out)).err, "two-stage-main.jsonl: 1 line damaged or there twice"));
  CHECK(text_of(out + "/two-stage.csv") == expected);
}

TEST_CASE_FIXTURE(InFolder, "paper leaves out figures without their data and says how to get it") {
  const ProgramResult result = succeeded(paper({"human", "exploration-probability", "--json"}, folder.file("out")));
  check_holds(result.out, {R"("left_out":[{"name":"human")", "datasets/fetch movie-rationales"});
}

TEST_CASE_FIXTURE(InFolder, "paper refuses names and numbers that it does not know") {
  const ProgramResult name = paper({"spares"}, folder.file("out"));
  CHECK(name.exit_code == 2);
  CHECK(name.err.find("did you mean") != std::string::npos);
  CHECK(paper({"--trials", "1"}, folder.file("out")).exit_code == 2);
  CHECK(inkling_bench({"paper", "human", "--out", folder.file("out"), "--data", folder.file("nowhere")}).exit_code == 4);
}

TEST_CASE_FIXTURE(InFolder, "beyond writes the same curves and claims at 1 and 2 threads and a page with its own title") {
  const Args names = {"paper-worlds", "searches", "--threads"};
  const ProgramResult result = succeeded(beyond(names + Args{"1"}, folder.file("one")));
  check_holds(result.out, {"the regret of inkling, untuned, is at most 1.1 times", "left out"});
  CHECK(beyond(names + Args{"2"}, folder.file("two")).exit_code == 0);
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
    return inkling_bench(
        {"beyond", "reviews", "--quick", "--data", folder.file("data"), "--out", out, "--python", folder.file("no-python")});
  };
  const ProgramResult result = succeeded(reviews(folder.file("out")));
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
