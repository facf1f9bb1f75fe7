#include "io/base/file/output_file.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

using test::TemporaryFolder;
using test::text_of;

int closing_error_of(OutputFile& file) {
  try {
    file.close();
  } catch (const SystemError& error) {
    CHECK(error.path() == file.path());
    return error.error_number();
  }
  return 0;
}

TEST_CASE("a file appears whole when it is closed, and nothing else stays") {
  const TemporaryFolder folder;
  const std::string path = folder.file("curve.csv");
  OutputFile file(path);
  const std::string line = std::string(99, 'x') + "\n";
  std::string expected;
  for (int i = 0; i < 5000; ++i) {
    file.append(line);
    expected += line;
  }
  CHECK_FALSE(fs::exists(path));
  file.close();
  CHECK(text_of(path) == expected);
  CHECK(folder.entries() == 1);
}

TEST_CASE("an abandoned file leaves the old one as it was") {
  const TemporaryFolder folder;
  const std::string path = folder.file("old");
  write_file(path, "old");
  {
    OutputFile file(path);
    file.append("new");
  }
  CHECK(text_of(path) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("a replaced file keeps its mode, and a symbolic link stays a link") {
  const TemporaryFolder folder;
  write_file(folder.file("target"), "old");
  REQUIRE(chmod(folder.file("target").c_str(), 0600) == 0);
  fs::create_symlink("target", folder.file("link"));
  write_file(folder.file("link"), "new");
  CHECK(fs::is_symlink(folder.file("link")));
  CHECK(text_of(folder.file("target")) == "new");
  CHECK(fs::status(folder.file("target")).permissions() == fs::perms(0600));
}

TEST_CASE("a file in a folder that is not there is refused with path and errno") {
  const TemporaryFolder folder;
  const std::string path = folder.file("missing/file");
  try {
    const OutputFile file(path);
    FAIL("no error");
  } catch (const SystemError& error) {
    CHECK(error.path() == path);
    CHECK(error.error_number() == ENOENT);
  }
  CHECK_THROWS_AS(write_file(folder.file("."), "x"), SystemError);
}

TEST_CASE("a device is written to and not replaced, and a full one is an error") {
  write_file("/dev/null", "x");
  CHECK(fs::is_character_file("/dev/null"));
  OutputFile full("/dev/full");
  full.append("x");
  CHECK(closing_error_of(full) == ENOSPC);
}

TEST_CASE("a full disk leaves the old file and nothing else") {
  const TemporaryFolder folder;
  const std::string path = folder.file("old");
  write_file(path, "old");
  WriteCalls calls = WriteCalls::of_system();
  calls.write = [](int, const void*, std::size_t) -> ssize_t {
    errno = ENOSPC;
    return -1;
  };
  {
    OutputFile file(path, calls);
    file.append("new");
    CHECK(closing_error_of(file) == ENOSPC);
  }
  CHECK(text_of(path) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("a failed fsync and a failed rename are errors that leave the old file") {
  const TemporaryFolder folder;
  const std::string path = folder.file("old");
  write_file(path, "old");
  WriteCalls no_fsync = WriteCalls::of_system();
  no_fsync.fsync = [](int) {
    errno = EIO;
    return -1;
  };
  WriteCalls no_rename = WriteCalls::of_system();
  no_rename.rename = [](const char*, const char*) {
    errno = EACCES;
    return -1;
  };
  {
    OutputFile file(path, no_fsync);
    CHECK(closing_error_of(file) == EIO);
    OutputFile other(path, no_rename);
    CHECK(closing_error_of(other) == EACCES);
  }
  CHECK(text_of(path) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("the leftover of a killed program is removed by the next one that writes the file") {
  const TemporaryFolder folder;
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

TEST_CASE("many outputs are opened at once, each with a leftover of its own") {
  const TemporaryFolder folder;
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

TEST_CASE("interrupted and short writes do not change what is written to a file") {
  const TemporaryFolder folder;
  WriteCalls calls = WriteCalls::of_system();
  calls.write = [](int descriptor, const void* bytes, std::size_t count) -> ssize_t {
    static int call = 0;
    if (++call % 2 == 1) {
      errno = EINTR;
      return -1;
    }
    return ::write(descriptor, bytes, std::min<std::size_t>(count, 3));
  };
  OutputFile file(folder.file("new"), calls);
  file.append("twelve bytes");
  file.close();
  CHECK(text_of(folder.file("new")) == "twelve bytes");
}

}  // namespace
}  // namespace inkling
