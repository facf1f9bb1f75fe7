// The commands `inkling-bench scale` and `inkling-bench race` as a user meets them.
#include <algorithm>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "io/base/file/output_file.hpp"
#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

ProgramResult bench(const Args& args, const Args& more = {}) { return inkling_bench(args + more); }

const Args kTinyRace = {"race", "--documents", "300", "--features",          "400", "--tokens", "40", "--relevant",
                        "10",   "--rounds",    "100", "--rescoring-seconds", "0.01"};

TEST_CASE_FIXTURE(InFolder, "scale writes tables and charts for the sizes it is given") {
  const std::string out = folder.file("new/scale");
  const ProgramResult result =
      succeeded(bench({"scale", "--axis", "documents", "--quick", "--sizes", "400,100,200", "--features", "400", "--tokens", "40",
                       "--relevant", "10", "--rounds", "60", "--check", "--out", out}));
  CHECK(result.out.find("the mean round grows with documents to the power of") != std::string::npos);
  const std::string csv = text_of(out + "/scale_documents.csv");
  CHECK(std::ranges::count(csv, '\n') == 1 + 3 * 6);
  CHECK(csv.find("\ndocuments,100,100,400,10,") < csv.find("\ndocuments,400,400,400,10,"));
  CHECK(text_of(out + "/charts_documents.csv").starts_with("chart,series,x,y,low,high\ndocuments,sublinear,100,"));
  check_holds(text_of(out + "/summary.json"), {R"("other choices":"0")", "--sizes 400,100,200"});
}

TEST_CASE_FIXTURE(InFolder, "scale measures three kinds of worlds and prints the power by which each becomes slower") {
  const std::string out = folder.file("worlds");
  const ProgramResult result = succeeded(bench({"scale", "--axis", "worlds", "--quick", "--sizes", "1200,300,600", "--features",
                                                "3000", "--rounds", "50", "--repeats", "1", "--out", out}));
  CHECK(result.out.find("           300           600         1,200         power\n") != std::string::npos);
  for (const char* kind : {"  race: ", "  hard: ", "  search: "}) {
    const std::size_t row = result.out.find(kind);
    REQUIRE(row != std::string::npos);
    CHECK(result.out.substr(row, result.out.find('\n', row) - row).find(" ± ") != std::string::npos);
  }
  CHECK(std::ranges::count(text_of(out + "/charts_worlds.csv"), '\n') == 1 + 3 * 3);
  check_holds(text_of(out + "/summary.json"), {R"("title":"Three kinds of worlds")", "--axis worlds --sizes 1200,300,600"});
}

TEST_CASE("race without peers compares our scorings with each other and with full scans") {
  const ProgramResult result = succeeded(bench(kTinyRace, {"--peers", "none", "--check"}));
  CHECK(result.err.empty());
  check_holds(result.out, {"300 documents x 400 features", "the same, 100 rounds"});
  CHECK(result.out.find(" differ, the first") == std::string::npos);
  CHECK(result.out.find("oful-subset  100 choices against a full scan from nothing: 0 differ") != std::string::npos);

  const ProgramResult json = succeeded(bench(kTinyRace, {"--peers", "none", "--check", "--json"}));
  CHECK(json.out.starts_with(R"({"documents":300,"features":400,)"));
  CHECK(json.out.find(R"("full_scan":{"ff-oful":{"compared":)") != std::string::npos);
}

TEST_CASE_FIXTURE(InFolder, "the choices in a race are the same at every number of threads byte for byte") {
  std::string first;
  for (const char* threads : {"1", "2", "8"}) {
    const std::string file = folder.file(std::string("choices-") + threads);
    CHECK(bench(kTinyRace, {"--peers", "none", "--threads", threads, "--choices", file}).exit_code == 0);
    if (first.empty()) first = text_of(file);
    CHECK(text_of(file) == first);
  }
  CHECK(std::ranges::count(first, '\n') == 1 + 2 * 100);
}

TEST_CASE_FIXTURE(InFolder, "the table of race shows the result of one peer and the failure of another") {
  // A peer that is a shell script, so that the test needs no Python.
  write_file(folder.file("linucb_numpy.py"),
             "test -s \"$1/indptr.npy\" && test -s \"$2/rewards.npy\" && echo '{\"name\":\"shell peer\",\"method\":\"other\","
             "\"about\":\"\",\"rounds\":3,\"median_seconds\":0.5,\"mean_seconds\":0.5,\"peak_bytes\":1,\"choices\":[1,2,3]}'\n");
  write_file(folder.file("with_sklearn.py"), "echo 'no such module' >&2; exit 3\n");
  const ProgramResult result = succeeded(
      bench(kTinyRace, {"--peers", "numpy,sklearn", "--python", "sh", "--peer-folder", folder.path(), "--work", folder.path()}));
  check_holds(result.out, {"shell peer", "another method", "sklearn", "not run: with_sklearn.py ended with 3: 'no such module'"});
  CHECK(text_of(folder.file("problem.json")).find("\"rounds\":100") != std::string::npos);
}

TEST_CASE_FIXTURE(InFolder, "ingest keeps its measurements when the peer fails and says why it failed") {
  write_file(folder.file("corpus.txt"), "one two two\nthree three one\n");
  const Args ingest = {"ingest", folder.file("corpus.txt"), "--repeats", "1", "--folder", folder.path(), "--peer"};
  write_file(folder.file("good"), "#!/bin/sh\necho reading $1\necho 2.5\n");
  write_file(folder.file("bad"), "#!/bin/sh\necho 'no such module' >&2\nexit 3\n");
  write_file(folder.file("odd"), "#!/bin/sh\necho soon\n");
  for (const char* peer : {"good", "bad", "odd"}) {
    std::filesystem::permissions(folder.file(peer), std::filesystem::perms::owner_all);
    check_holds(succeeded(bench(ingest, {folder.file(peer)})).out, {"read, tokenise", "whole build"});
  }
  CHECK(bench(ingest, {folder.file("good")}).out.find("times as fast as the peer") != std::string::npos);
  CHECK(bench(ingest, {folder.file("bad")}).out.find("bad ended with 3: 'no such module'") != std::string::npos);
  CHECK(bench(ingest, {folder.file("odd")}).out.find("expected seconds on its last line, got 'soon'") != std::string::npos);
  CHECK(bench(ingest, {folder.file("absent")}).out.find("The peer failed: ") != std::string::npos);
  const ProgramResult json = bench(ingest, {folder.file("bad"), "--json"});
  check_holds(json.out, {R"("peer_failure":")", R"("stage":"whole build","seconds":)"});
}

TEST_CASE("bad options of scale and race exit 2 and worlds or files that cannot be made exit 3 or 4") {
  for (const Args& args :
       {Args{"scale"}, Args{"scale", "--out", "x", "--axis", "colour"}, Args{"scale", "--out", "x", "--sizes", "3"},
        Args{"scale", "--out", "x", "--axis", "documents", "--sizes", "0"}, Args{"race", "--peers", "all,none"},
        Args{"race", "--documents", "0"}, Args{"race", "--documents", "30", "--relevant", "1", "--df", "0,1"},
        Args{"race", "--relevant-words", "x"}, Args{"race", "--pool", "x", "--documents", "3"}}) {
    const ProgramResult result = bench(args);
    CAPTURE(result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(std::ranges::count(result.err, '\n') == 1);
  }
  CHECK(bench({"race", "--documents", "50", "--rounds", "5", "--relevant", "20000"}).exit_code == 3);
  CHECK(bench({"scale", "--out", "/dev/null/x", "--quick"}).exit_code == 4);
  CHECK(bench(kTinyRace, {"--peer-folder", "no/such/folder"}).exit_code == 4);
  CHECK(bench({"race", "--pool", "no/such/pool"}).exit_code == 4);
}

}  // namespace
}  // namespace inkling::test
