// A checked pool is not checked again while its files are unchanged. If they changed, or the record is not exactly right, it is.
#include "io/corpus/pool/open/checked_record.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "tests/support/io/checked_pools.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

TEST_CASE("a checked pool is checked again only on request and then loses a wrong record") {
  const test::RottenPool pool;
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

TEST_CASE_FIXTURE(test::InOldPool, "every way to check a whole pool leaves a record, and opens the same pool as before") {
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

TEST_CASE_FIXTURE(test::InOldPool, "a pool is checked again after any change of any file") {
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
    fs::permissions(pool.cache + "/inkling", fs::perms::owner_all);
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

TEST_CASE_FIXTURE(test::InOldPool, "changed bytes are found even if the time of the last write is set back") {
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
  const test::RottenPool pool;
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

TEST_CASE_FIXTURE(test::InOldPool, "of too many records the oldest are removed and nothing else") {
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

TEST_CASE_FIXTURE(test::InOldPool, "a record that many write at once is always whole") {
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
