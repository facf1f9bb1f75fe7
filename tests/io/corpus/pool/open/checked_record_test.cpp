// A checked pool is not checked again while its files are unchanged. If they changed, or the record is not exactly right, it is.
#include "io/corpus/pool/open/checked_record.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "tests/support/engine/environment.hpp"
#include "tests/support/io/checked_pools.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

// Folders with a pool each, whose files are old enough for a record. Many are made at once, because one has to wait for that.
template <void (*damage)(const std::string& pool)>
std::unique_ptr<test::TemporaryFolder> folder_of_old_pool() {
  static std::vector<std::unique_ptr<test::TemporaryFolder>> folders;
  if (folders.empty()) {
    for (int n = 0; n < 7; ++n) {
      folders.push_back(std::make_unique<test::TemporaryFolder>());
      test::write_pool(test::small_pool(), folders.back()->file("P"));
      damage(folders.back()->file("P"));
    }
    test::wait_for_records();
  }
  std::unique_ptr<test::TemporaryFolder> folder = std::move(folders.back());
  folders.pop_back();
  return folder;
}

void leave_whole(const std::string& /*pool*/) {}
void flip_a_bit(const std::string& pool) { test::flip_bit_of(pool + "/data.npy", 8 * 128); }

// A pool whose files are old enough for a record, and a cache of its own.
struct OldPool {
  OldPool() : OldPool(folder_of_old_pool<leave_whole>()) {}
  explicit OldPool(std::unique_ptr<test::TemporaryFolder> of_pool) : owned(std::move(of_pool)) { fs::create_directory(cache); }

  [[nodiscard]] CheckedRecord record() const { return CheckedRecord(OpenPool(path)); }
  [[nodiscard]] bool opens(PoolTrust trust, PoolAccess access = PoolAccess::map) const {
    try {
      static_cast<void>(PoolSet::open(std::vector{path}, access, trust));
      return true;
    } catch (const CorruptFileError&) {
      return false;
    }
  }

  std::unique_ptr<test::TemporaryFolder> owned;
  const test::TemporaryFolder& folder = *owned;
  std::string path = folder.file("P");
  std::string cache = folder.file("cache");
  test::CacheOfUser set{cache};
};

// Such a pool with a flipped bit, and a record that says that it is sound: a program opens it only if it reads the record.
struct RottenPool : OldPool {
  RottenPool() : OldPool(folder_of_old_pool<flip_a_bit>()) { record().write(); }
};

TEST_CASE("a checked pool is checked again only on request and then loses a wrong record") {
  const RottenPool pool;
  if (!test::keeps_records_of(pool.path)) return;
  CHECK(test::records_in(pool.cache).size() == 1);
  for (const PoolAccess access : {PoolAccess::map, PoolAccess::read}) {
    CHECK(pool.opens(PoolTrust::remembered, access));
    CHECK_FALSE(pool.opens(PoolTrust::checksums, access));
  }
  const PoolSet read = PoolSet::open(std::vector{pool.path}, PoolAccess::read, PoolTrust::remembered);
  CHECK_THROWS_AS(static_cast<void>(read.row(0)), CorruptFileError);

  CHECK(test::records_in(pool.cache).size() == 1);  // a check of checksums alone changes no record
  CHECK_FALSE(pool.opens(PoolTrust::renewed));
  CHECK(test::records_in(pool.cache).empty());
  CHECK_FALSE(pool.opens(PoolTrust::remembered));
  pool.record().write();
  CHECK_THROWS_AS(static_cast<void>(verify_pool(pool.path)), CorruptFileError);
  CHECK(test::records_in(pool.cache).empty());
}

struct InOldPool {
  const OldPool pool;
};

TEST_CASE_FIXTURE(InOldPool, "every way to check a whole pool leaves a record, and opens the same pool as before") {
  if (!test::keeps_records_of(pool.path)) return;
  const double expected = [&] {
    return test::scan_of(checked_contents("P", test::PoolBytes(pool.path).view(), CheckExtent::everything));
  }();
  const double outlined = test::scan_of(checked_contents("P", test::PoolBytes(pool.path).view(), CheckExtent::outline));
  CHECK(outlined == expected);
  for (const PoolTrust trust : {PoolTrust::checksums, PoolTrust::structure}) {
    CHECK(pool.opens(trust));
    CHECK(test::records_in(pool.cache).empty());
  }
  const auto leaves_one = [&] {
    CHECK(test::records_in(pool.cache).size() == 1);
    CHECK(pool.record().is_there());
    pool.record().remove();
    CHECK(test::records_in(pool.cache).empty());
  };
  for (const PoolAccess access : {PoolAccess::map, PoolAccess::read}) {
    for (const PoolTrust trust : {PoolTrust::remembered, PoolTrust::renewed}) {
      CHECK(pool.opens(trust, access));
      leaves_one();
    }
  }
  CHECK(verify_pool(pool.path).files == 25);
  leaves_one();
}

TEST_CASE_FIXTURE(test::InFolder, "no record is kept of files that changed a moment ago") {
  const test::CacheOfUser set(folder.path().generic_string());
  test::write_pool(test::small_pool(), folder.file("P"));
  static_cast<void>(Pool::open(folder.file("P"), PoolTrust::remembered));
  static_cast<void>(verify_pool(folder.file("P")));
  CHECK(test::records_in(folder.path()).empty());
}

TEST_CASE_FIXTURE(InOldPool, "a pool is checked again after any change of any file") {
  if (!test::keeps_records_of(pool.path)) return;
  std::vector<std::string> files = {pool_file_path(pool.path, PoolFile::manifest)};
  for (const std::string_view name : kPoolFileNames) files.push_back(pool_file_path(pool.path, name));
  pool.record().write();
  CHECK(pool.record().is_there());
  const std::string kept = pool.folder.file("kept");
  fs::rename(pool.cache + "/inkling", kept);
  const auto is_known = [&] {
    fs::remove_all(pool.cache + "/inkling");
    fs::copy(kept, pool.cache + "/inkling");
    ::chmod((pool.cache + "/inkling").c_str(), 0700);
    return pool.record().is_there();
  };
  for (const std::string& file : files) {
    CAPTURE(file);
    const std::string aside = pool.folder.file("aside");
    fs::rename(file, aside);
    fs::copy_file(aside, file);
    fs::last_write_time(file, fs::last_write_time(aside));
    CHECK_FALSE(is_known());  // another inode
    fs::rename(aside, file);
    CHECK_FALSE(is_known());  // the same bytes and inode, but a newer time of change
  }
}

TEST_CASE_FIXTURE(InOldPool, "changed bytes are found even if the time of the last write is set back") {
  if (!test::keeps_records_of(pool.path)) return;
  for (const std::string_view name : kPoolFileNames) {
    CAPTURE(name);
    pool.record().write();
    const std::string file = pool_file_path(pool.path, name);
    const auto flip_last = [](std::string& bytes) { bytes.back() = static_cast<char>(bytes.back() ^ 1); };
    test::change_secretly(file, flip_last);
    CHECK_FALSE(pool.opens(PoolTrust::remembered));
    CHECK_FALSE(pool.opens(PoolTrust::remembered, PoolAccess::read));
    test::change_secretly(file, flip_last);
    CHECK(pool.opens(PoolTrust::remembered));
  }
}

TEST_CASE("a record that is cut or longer or changed in any bit or of another version is ignored") {
  const RottenPool pool;
  if (!test::keeps_records_of(pool.path)) return;
  const std::string path = test::records_in(pool.cache).front().generic_string();
  const std::string whole = test::text_of(path);
  const CheckedRecord record = pool.record();
  const auto counts = [&](const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
    return record.is_there();
  };
  for (std::size_t length = 0; length < whole.size(); ++length) CHECK_FALSE(counts(whole.substr(0, length)));
  for (std::size_t bit = 0; bit < 8 * whole.size(); bit += 3)
    if (counts(test::with_flipped_bit(whole, bit))) FAIL_CHECK("bit " << bit);
  CHECK_FALSE(counts(whole + "\n"));
  CHECK_FALSE(counts(std::string(1U << 20U, 'x')));
  std::string other = whole;
  CHECK_FALSE(counts(other.replace(other.find("version 0."), 10, "version 9.")));
  CHECK(counts(whole));
  CHECK(pool.opens(PoolTrust::remembered));
}

TEST_CASE("a record counts only if it is a file of the user that nobody else may write to") {
  const RottenPool pool;
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

TEST_CASE_FIXTURE(InOldPool, "a cache that is missing or no folder or read-only keeps no record and does no harm") {
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

TEST_CASE_FIXTURE(InOldPool, "the cache is made in the user's home and nobody else may look into it") {
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

TEST_CASE_FIXTURE(InOldPool, "of too many records the oldest are removed and nothing else") {
  if (!test::keeps_records_of(pool.path)) return;
  pool.record().write();
  const std::string room = pool.cache + "/inkling/";
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  std::ofstream(room + "of somebody") << "keep";
  for (std::size_t n = 1; n < CheckedRecord::most_records; ++n) {
    const std::string name = fmt::format("{}checked-{:016x}", room, n);
    std::ofstream(name) << n;
    fs::last_write_time(name, old - std::chrono::seconds(n));
  }
  pool.record().write();
  CHECK(test::records_in(pool.cache).size() == CheckedRecord::most_records + 1);
  std::ofstream(room + "checked-0123.partial-1-1") << "of a writer that was killed";
  fs::last_write_time(room + "checked-0123.partial-1-1", old - std::chrono::hours(1));
  pool.record().write();
  CHECK(test::records_in(pool.cache).size() == CheckedRecord::most_records / 2 + 1);
  CHECK(pool.record().is_there());
  CHECK(fs::exists(fmt::format("{}checked-{:016x}", room, 1)));
  CHECK_FALSE(fs::exists(room + "checked-0123.partial-1-1"));
  CHECK(fs::exists(room + "of somebody"));
}

TEST_CASE_FIXTURE(InOldPool, "a record that many write at once is always whole") {
  if (!test::keeps_records_of(pool.path)) return;
  pool.record().write();
  std::vector<std::thread> writers;
  std::array<int, 4> missed = {};
  for (int& own : missed) {
    writers.emplace_back([this, &own] {
      for (int n = 0; n < 200; ++n) {
        const CheckedRecord record = pool.record();
        record.write();
        own += record.is_there() ? 0 : 1;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  CHECK(missed == std::array<int, 4>{});
  CHECK(test::records_in(pool.cache).size() == 1);
}

TEST_CASE_FIXTURE(test::InFolder, "a flipped bit beneath a record does no harm beyond a wrong number") {
  test::write_pool(test::small_pool(), folder.file("P"));
  test::PoolBytes pool(folder.file("P"));
  int refused = 0;
  for (auto& [name, bytes] : pool.files()) {
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      bytes[bit / 8] ^= std::byte{1} << (bit % 8);
      try {
        static_cast<void>(test::scan_of(checked_contents("P", pool.view(), CheckExtent::outline)));
      } catch (const CorruptFileError&) {
        ++refused;
      }
      bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    }
  }
  CHECK(refused > 0);
}

}  // namespace
}  // namespace inkling
