// Whose file a record may be, and where it lies.
#include <cstdlib>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/corpus/pool/open/checked_record.hpp"
#include "tests/support/engine/environment.hpp"
#include "tests/support/io/checked_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

TEST_CASE("a record counts only if it is a file of the user that nobody else may write to") {
  const test::RottenPool pool;
  if (!test::keeps_records_of(pool.path)) return;
  const std::string path = test::records_in(pool.cache).front().generic_string();
  const std::string room = pool.cache + "/inkling";
  const CheckedRecord record = pool.record();
  const auto counts_with = [&](const std::string& file, mode_t mode) {
    struct stat status = {};
    REQUIRE(::stat(file.c_str(), &status) == 0);
    REQUIRE(::chmod(file.c_str(), mode) == 0);
    const bool counts = record.is_there();
    REQUIRE(::chmod(file.c_str(), status.st_mode & 07777) == 0);
    return counts;
  };
  CHECK(counts_with(path, 0644));
  CHECK_FALSE(counts_with(path, 0620));
  CHECK_FALSE(counts_with(path, 0602));
  CHECK(counts_with(room, 0755));
  CHECK_FALSE(counts_with(room, 0770));
  CHECK_FALSE(counts_with(room, 0707));
  for (const std::string& place : {path, room}) {
    CAPTURE(place);
    const std::string aside = pool.folder.file("aside");
    fs::rename(place, aside);
    CHECK_FALSE(record.is_there());
    fs::create_symlink(aside, place);
    CHECK_FALSE(record.is_there());
    record.write();  // replaces a link by a file, and writes nothing if the folder is a link
    fs::remove(place);
    fs::rename(aside, place);
    CHECK(record.is_there());
  }
  fs::create_hard_link(path, pool.folder.file("another name"));
  CHECK_FALSE(record.is_there());
  fs::remove(pool.folder.file("another name"));
  if (::geteuid() == 0) {
    constexpr uid_t somebody = 12345;
    for (const std::string& place : {path, room}) {
      REQUIRE(::chown(place.c_str(), somebody, somebody) == 0);
      CHECK_FALSE(record.is_there());
      REQUIRE(::chown(place.c_str(), 0, 0) == 0);
    }
  }
  CHECK(record.is_there());
  fs::remove(path);
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK_FALSE(record.is_there());
  fs::remove(path);
  fs::create_directory(path);
  CHECK_FALSE(record.is_there());
  record.write();
  record.remove();
  CHECK(fs::is_directory(path));
}

TEST_CASE_FIXTURE(test::InOldPool, "a cache that is missing or no folder or read-only keeps no record and does no harm") {
  for (const std::string& cache : {pool.folder.file("none/none"), pool.path + "/data.npy", std::string("/dev/null"),
                                   std::string("/proc"), std::string("relative"), std::string()}) {
    CAPTURE(cache);
    const test::CacheOfUser set(cache);
    const char* const home = std::getenv("HOME");
    const std::string home_before = home != nullptr ? home : "";
    test::set_environment("HOME", "also relative");
    CHECK(pool.opens(PoolTrust::remembered));
    CHECK(pool.opens(PoolTrust::renewed));
    CHECK(pool.opens(PoolTrust::remembered));
    test::set_environment("HOME", home_before);
    CHECK_FALSE(fs::exists("relative"));
  }
  CHECK_FALSE(fs::exists(pool.folder.file("none")));
}

TEST_CASE_FIXTURE(test::InOldPool, "the cache is made in the user's home and nobody else may look into it") {
  if (!test::keeps_records_of(pool.path)) return;
  const test::CacheOfUser unset("");
  const char* const home = std::getenv("HOME");
  const std::string home_before = home != nullptr ? home : "";
  test::set_environment("HOME", pool.folder.path().generic_string());
  pool.record().write();
  CHECK(pool.record().is_there());
  test::set_environment("HOME", home_before);
  struct stat status = {};
  REQUIRE(::stat(pool.folder.file(".cache/inkling").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0700);
}

}  // namespace
}  // namespace inkling
