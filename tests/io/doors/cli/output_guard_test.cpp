#include "io/doors/cli/output_guard.hpp"

#include <filesystem>

#include <doctest/doctest.h>

#include "io/base/file/output_file.hpp"
#include "io/doors/cli/usage_error.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

using test::InFolder;

bool refuses(OutputGuard guard, const std::string& output) {
  try {
    guard.writes("--out", output);
  } catch (const UsageError& error) {
    CHECK(std::string(error.what()).starts_with("--out " + output + " "));
    return true;
  }
  return false;
}

TEST_CASE_FIXTURE(InFolder, "a file that is read cannot be an output under any of its names") {
  write_file(folder.file("events"), "{}");
  write_file(folder.file("other"), "{}");
  fs::create_hard_link(folder.file("events"), folder.file("hard"));
  const bool has_link = test::made_link("events", folder.file("soft"));
  OutputGuard guard;
  for (const char* const name : {"other", has_link ? "soft" : "events", "missing"}) guard.reads("--events", folder.file(name));
  CHECK(refuses(guard, folder.file("events")));
  CHECK(refuses(guard, folder.file("hard")));
  CHECK(refuses(guard, folder.file("soft")) == has_link);
  CHECK(refuses(guard, folder.file("./other")));
  CHECK_FALSE(refuses(guard, folder.file("new")));
  CHECK_FALSE(refuses(guard, folder.file("missing")));
}

TEST_CASE_FIXTURE(InFolder, "an output does not lie in a folder that is read") {
  fs::create_directories(folder.file("pool/documents"));
  OutputGuard guard;
  guard.reads("the pool", folder.file("pool"));
  CHECK(refuses(guard, folder.file("pool/new")));
  if (test::made_link("pool", folder.file("link"))) CHECK(refuses(guard, folder.file("link/documents/new")));
  CHECK_FALSE(refuses(guard, folder.file("pool.csv")));
}

TEST_CASE_FIXTURE(InFolder, "two outputs are two files, and a device may be input and output") {
  OutputGuard guard;
  guard.reads("--events", "/dev/null");
  guard.writes("--csv", folder.file("a"));
  CHECK(refuses(guard, folder.file("a")));
  CHECK(refuses(guard, folder.file("./a")));
  CHECK_FALSE(refuses(guard, folder.file("b")));
  CHECK_FALSE(refuses(guard, "/dev/null"));
}

TEST_CASE_FIXTURE(InFolder, "a target within a source and a source within the target are refused, through links too") {
  fs::create_directories(folder.file("source/deep"));
  write_file(folder.file("source/deep/text"), "");
  const auto overlap = [&](const std::string& target, const std::string& source) {
    refuse_overlap("out", folder.file(target), {"/dev/null", folder.file("missing"), folder.file(source)});
  };
  CHECK_THROWS_AS(overlap("source/pool", "source"), UsageError);
  CHECK_THROWS_AS(overlap("source", "source"), UsageError);
  CHECK_THROWS_AS(overlap("source", "source/deep/text"), UsageError);
  CHECK_NOTHROW(overlap("pool", "source"));
  CHECK_NOTHROW(overlap("source/pool", "source/deep"));
  CHECK_NOTHROW(overlap("source-pool", "source"));
  if (!test::made_link("source/deep", folder.file("link"))) return;
  CHECK_THROWS_AS(overlap("link/pool", "source"), UsageError);
  CHECK_THROWS_AS(overlap("source", "link/text"), UsageError);
}

}  // namespace
}  // namespace inkling
