#include "io/base/file/file_identity.hpp"

#include <filesystem>

#include <doctest/doctest.h>

#include "io/base/file/output_file.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

TEST_CASE_FIXTURE(test::InFolder, "A file is the same by every name that leads to it") {
  const std::string file = folder.file("file");
  write_file(file, "text");
  fs::create_hard_link(file, folder.file("hard"));
  write_file(folder.file("other"), "text");
  CHECK(identity_of(file).has_value());
  CHECK(identity_of(file) == identity_of(folder.file("hard")));
  if (test::made_link("file", folder.file("soft"))) CHECK(identity_of(file) == identity_of(folder.file("soft")));
  CHECK(identity_of(file) == identity_of(folder.file("./file")));
  CHECK(identity_of(file) != identity_of(folder.file("other")));
  CHECK_FALSE(identity_of(folder.file("none")).has_value());
}

TEST_CASE_FIXTURE(test::InFolder, "A path lies within a folder by any way that leads there") {
  fs::create_directories(folder.file("a/b"));
  fs::create_directory(folder.file("ab"));
  const std::string a = folder.file("a");
  CHECK(lies_within(a, a));
  CHECK(lies_within(folder.file("a/"), a));
  CHECK(lies_within(folder.file("a/b/not there/nor this"), a));
  if (test::made_link("a/b", folder.file("link"))) CHECK(lies_within(folder.file("link/pool"), a));
  CHECK(lies_within(folder.file("ab/../a/pool"), a));
  CHECK_FALSE(lies_within(folder.file("ab"), a));
  CHECK_FALSE(lies_within(folder.file("ab/pool"), a));
  CHECK_FALSE(lies_within(folder.file("pool"), a));
  CHECK_FALSE(lies_within(a, folder.file("none")));
}

}  // namespace
}  // namespace inkling
