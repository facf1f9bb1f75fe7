#include "bench/studies/folder_lock.hpp"

#include <filesystem>
#include <optional>
#include <string>

#include <doctest/doctest.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/file/output_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace inkling::bench {
namespace {

using inkling::test::TemporaryFolder;
using inkling::test::text_of;

TEST_CASE("a folder has one run at a time, and a second one is told which process that is") {
  const TemporaryFolder folder;
  const std::string place = folder.file("");
  std::optional<FolderLock> first(place);
  CHECK(first->is_held());
  try {
    const FolderLock second(place);
    FAIL("a second run got the folder");
  } catch (const SystemError& error) {
    CHECK(error.path() == place);
    CHECK(std::string(error.what()).find("process " + std::to_string(::getpid())) != std::string::npos);
  }
  first.reset();
  CHECK(FolderLock(place).is_held());
}

TEST_CASE("a file of a person that has the name of the lock stays as it is") {
  const TemporaryFolder folder;
  write_file(folder.file("run.lock"), "my notes");
  CHECK(FolderLock(folder.file("")).is_held());
  CHECK(text_of(folder.file("run.lock")) == "my notes");
}

TEST_CASE("a lock that would be a link or a folder is an error of the system") {
  const TemporaryFolder folder;
  write_file(folder.file("notes"), "my notes");
  std::filesystem::create_symlink(folder.file("notes"), folder.file("run.lock"));
  CHECK_THROWS_AS(FolderLock(folder.file("")), SystemError);
  CHECK(text_of(folder.file("notes")) == "my notes");
}

}  // namespace
}  // namespace inkling::bench
