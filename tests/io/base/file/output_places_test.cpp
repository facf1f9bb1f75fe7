// Outputs in place of what is there: links, devices, and what a killed program left.
#include <cerrno>
#include <csignal>
#include <filesystem>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/base/file/output_file.hpp"
#include "tests/support/engine/messages.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

using test::InFolder, test::text_of;

TEST_CASE_FIXTURE(InFolder, "a replaced file keeps its mode, and a symbolic link stays a link") {
  write_file(folder.file("target"), "old");
  REQUIRE(chmod(folder.file("target").c_str(), 0600) == 0);
  fs::create_symlink("target", folder.file("link"));
  write_file(folder.file("link"), "new");
  CHECK(fs::is_symlink(folder.file("link")));
  CHECK(text_of(folder.file("target")) == "new");
  CHECK(fs::status(folder.file("target")).permissions() == fs::perms(0600));
}

TEST_CASE("a device is written to and not replaced, and a full one is an error") {
  write_file("/dev/null", "x");
  CHECK(fs::is_character_file("/dev/null"));
  OutputFile full("/dev/full");
  full.append("x");
  CHECK(test::error_number_of(full.path(), [&] { full.close(); }) == ENOSPC);
}

TEST_CASE_FIXTURE(InFolder, "the leftover of a killed program is removed by the next one that writes the file") {
  const std::string path = folder.file("scores");
  const pid_t child = ::fork();
  if (child == 0) {
    OutputFile file(path);
    std::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  CHECK(folder.entries() == 1);
  write_file(folder.file("scores.partial-1"), "a file of another kind");
  write_file(path, "new");
  CHECK(text_of(path) == "new");
  CHECK(folder.entries() == 2);
}

TEST_CASE_FIXTURE(InFolder, "many outputs are opened at once, each with a leftover of its own") {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto files = open_outputs({folder.file("a"), folder.file("b")});
    std::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  CHECK(folder.entries() == 2);
  {
    const auto files = open_outputs({folder.file("a"), folder.file("b"), folder.file("c")});
    for (const auto& file : files) file->append(file->path());
    for (const auto& file : files) file->close();
  }
  CHECK(folder.entries() == 3);
  CHECK(text_of(folder.file("b")) == folder.file("b"));
}

}  // namespace
}  // namespace inkling
