#include "io/base/file/output_file.hpp"

#include <cerrno>
#include <filesystem>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/support/engine/messages.hpp"
#include "tests/support/io/failing_system.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

using test::InFolder, test::text_of;

int closing_error_of(OutputFile& file) {
  return test::error_number_of(file.path(), [&] { file.close(); });
}

TEST_CASE_FIXTURE(InFolder, "a file appears whole when it is closed, and nothing else stays") {
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

TEST_CASE_FIXTURE(InFolder, "an abandoned file leaves the old one as it was") {
  const std::string path = folder.file("old");
  write_file(path, "old");
  {
    OutputFile file(path);
    file.append("new");
  }
  CHECK(text_of(path) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE_FIXTURE(InFolder, "a file in a folder that is not there is refused with path and errno") {
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

TEST_CASE_FIXTURE(InFolder, "a full disk leaves the old file and nothing else") {
  const std::string path = folder.file("old");
  write_file(path, "old");
  {
    OutputFile file(path);
    file.append("new");
    const test::FailingSystem system(test::every(SystemCall::write, ENOSPC));
    CHECK(closing_error_of(file) == ENOSPC);
  }
  CHECK(text_of(path) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE_FIXTURE(InFolder, "a failed fsync and a failed rename are errors that leave the old file") {
  const std::string path = folder.file("old");
  write_file(path, "old");
  for (const auto& [call, error] : {std::pair(SystemCall::sync, EIO), std::pair(SystemCall::rename, EACCES)}) {
    const test::FailingSystem system(test::every(call, error));
    OutputFile file(path);
    CHECK(closing_error_of(file) == error);
  }
  CHECK(text_of(path) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE_FIXTURE(InFolder, "interrupted and short writes do not change what is written to a file") {
  const test::FailingSystem system(test::slow_disk(3));
  OutputFile file(folder.file("new"));
  file.append("twelve bytes");
  file.close();
  CHECK(text_of(folder.file("new")) == "twelve bytes");
}

}  // namespace
}  // namespace inkling
