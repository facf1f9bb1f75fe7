// `inkling build` with sources that are not plain files or would take more memory than allowed.
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/io/archive_builder.hpp"
#include "tests/support/io/temporary_folder.hpp"
#include "tests/support/io/tests_path.hpp"

namespace inkling::test {
namespace {

const std::string kArchives = tests_path("fuzz/corpus/archive/");

TEST_CASE_FIXTURE(InFolder, "a pipe is a source if its format is given") {
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const std::string packed_lines = packed("raw", "gzip", {{"", "one\ntwo\n"}});
  for (const std::string& bytes : {std::string("one\ntwo\n"), packed_lines}) {
    std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << bytes; });
    const ProgramResult built = inkling({"build", pipe, "--format", "lines", "--dry-run"});
    writer.join();
    CHECK(built.exit_code == 0);
    CHECK(holds(built.out, "documents    2\n"));
  }
}

TEST_CASE_FIXTURE(InFolder, "links in a folder are left out and reported and followed on request") {
  const std::string secret = write(folder.file("secret.txt"), "root secret");
  std::filesystem::create_directory(folder.file("in"));
  std::filesystem::create_symlink(secret, folder.file("in/pw.txt"));
  const Args build = {"build", folder.file("in"), "--dry-run"};
  check_refused(inkling(build), 3, {"found none; links in folders: 1 were not followed (--follow-links"});
  write(folder.file("in/own.txt"), "plain words");
  const ProgramResult built = succeeded(inkling(build));
  check_holds(built.out, {"documents    1\n", "links        1 were not followed (--follow-links follows them)\n"});
  CHECK(holds(inkling(build + Args{"--json"}).out, "\"links_left_out\":1"));
  const ProgramResult followed = inkling(build + Args{"--follow-links"});
  CHECK(holds(followed.out, "documents    2\n"));
  CHECK_FALSE(holds(followed.out, "links"));
  const Args plan = {"parts", "plan", folder.file("in")};
  const ProgramResult planned = inkling(plan + Args{"--out", folder.file("plan.json")});
  CHECK(holds(planned.err + planned.out, "links: 1 were not followed"));
  CHECK_FALSE(holds(text_of(folder.file("plan.json")), "pw.txt"));
  const Args with_links = {"--follow-links", "--out", folder.file("links.json")};
  CHECK(inkling(plan + with_links).exit_code == 0);
  CHECK(holds(text_of(folder.file("links.json")), "pw.txt"));
}

TEST_CASE_FIXTURE(InFolder, "an endless list of stop words is refused") {
  const std::string text = write(folder.file("a.txt"), "text\n");
  check_refused(inkling({"build", text, "--format", "lines", "--stop-words", "/dev/zero", "--out", folder.file("pool")}), 3,
                {"/dev/zero: expected lines of at most 65536 bytes"});
}

TEST_CASE_FIXTURE(InFolder, "the memory for unpacking is limited by --memory") {
  const std::string xz = write(folder.file("a.txt.xz"), text_of(kArchives + "xz_large_window").substr(1));
  const Args build = {"build", xz, "--format", "lines", "--dry-run", "--memory"};
  check_refused(inkling(build + Args{"128M"}), 3,
                {"a.txt.xz: expected to read it in 33554432 bytes of memory (a quarter of --memory), found "
                 "that it needs 67108864"});
  CHECK(inkling(build + Args{"512M"}).exit_code == 0);
}

TEST_CASE_FIXTURE(InFolder, "the error about a line that is too long names the limit") {
  std::string line;
  line.resize(17'000'000, 'x');
  const std::string text = write(folder.file("a.txt"), line);
  const Args build = {"build", text, "--format", "lines", "--dry-run", "--memory", "128M", "--max-document"};
  CHECK(holds(inkling(build + Args{"100M"}).err, "at most 16777216 bytes in a record (an eighth of --memory)"));
  CHECK(holds(inkling(build + Args{"1M"}).err, "at most 1048576 bytes in a record (--max-document)"));
}

TEST_CASE_FIXTURE(InFolder, "a label with a line end is refused at its place in the source") {
  const std::string jsonl = write(folder.file("a.jsonl"), "{\"text\":\"one\"}\n{\"text\":\"two\",\"label\":\"a\\nb\"}\n");
  const Args build = {"build", jsonl, "--dry-run"};
  check_refused(inkling(build + Args{"--strict"}), 3, {"a.jsonl:2:1: expected a label without a line end"});
  CHECK(holds(succeeded(inkling(build)).out, "documents    1\n"));
}

}  // namespace
}  // namespace inkling::test
