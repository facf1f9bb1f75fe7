// Every output of a command that names a place, where that is a device, a link, or a folder.
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace inkling::test {
namespace {

namespace fs = std::filesystem;

TEST_CASE("no output takes the place of a device or a link, and none writes over a folder") {
  const TemporaryFolder folder;
  const std::string pool = folder.file("pool");
  REQUIRE(inkling({"build", kTinyCorpus, "--out", pool}).exit_code == 0);
  const std::string events = write(folder.file("events.jsonl"), "{\"document\": 3, \"reward\": 1}\n");
  const std::string log = folder.file("log");
  REQUIRE(inkling({"search", pool, "--searches", log, "--import", events}).exit_code == 0);
  const std::vector<Args> commands = {{"score", pool, "--events", events, "--out"},
                                      {"search", pool, "--searches", log, "--out"},
                                      {"sessions", log, "--write", "ratings", "--out"},
                                      {"sessions", log, "--write", "events", "--out"},
                                      {"sessions", log, "--backup"}};
  const std::string device = folder.file("device");
  const bool has_device =
      ::mknod(device.c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0;  // as /dev/null; root alone may
  const std::string link = folder.file("link.jsonl");
  fs::create_symlink(folder.file("target"), link);
  const std::string other = folder.file("folder");
  fs::create_directory(other);
  for (const Args& command : commands) {
    CAPTURE(command[2]);
    if (has_device) {
      CHECK(inkling(command + Args{device}).exit_code == 0);
      CHECK(fs::is_character_file(device));
    }
    fs::remove(folder.file("target"));
    write(folder.file("target"), "");
    CHECK(inkling(command + Args{link}).exit_code == 0);
    CHECK(fs::is_symlink(link));
    CHECK(fs::file_size(folder.file("target")) > 0);
    CHECK(inkling(command + Args{other}).exit_code != 0);
    CHECK(fs::is_empty(other));
  }
  for (const std::string& place : {device, other}) {
    if (place == device && !has_device) continue;
    CHECK(inkling({"search", pool, "--searches", place, "--import", events}).exit_code != 0);
    CHECK_FALSE(fs::is_regular_file(place));
  }
}

}  // namespace
}  // namespace inkling::test
