// Pools old enough that the record of their check is kept, and a folder for such records.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/corpus/pool/open/checked_record.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {

/// Sets the folder of this user's caches, for this process and of the programs that it starts, while this object lives.
class CacheOfUser {
 public:
  explicit CacheOfUser(const std::string& path);
  ~CacheOfUser();
  CacheOfUser(const CacheOfUser&) = delete;
  CacheOfUser& operator=(const CacheOfUser&) = delete;
  CacheOfUser(CacheOfUser&&) = delete;
  CacheOfUser& operator=(CacheOfUser&&) = delete;

 private:
  std::string before_;
};

/// The records in a user's cache, ascending by their paths.
[[nodiscard]] std::vector<std::filesystem::path> records_in(const std::filesystem::path& cache);

/// Waits until all files written so far are old enough that records of their pools are kept.
void wait_for_records();

/// Whether records are kept of pools on the file system of this one; that is not so on every file system.
[[nodiscard]] bool keeps_records_of(const std::string& pool);

/// A pool whose files are old enough for a record, and a cache of its own.
struct OldPool {
  OldPool();
  explicit OldPool(std::unique_ptr<TemporaryFolder> of_pool);

  [[nodiscard]] CheckedRecord record() const { return CheckedRecord(OpenPool(path)); }
  /// Whether it opens; false if it is found to be corrupt.
  [[nodiscard]] bool opens(PoolTrust trust, PoolAccess access = PoolAccess::map) const;

  std::unique_ptr<TemporaryFolder> owned;
  const TemporaryFolder& folder = *owned;
  std::string path = folder.file("P");
  std::string cache = folder.file("cache");
  CacheOfUser set{cache};
};

/// TEST_CASE_FIXTURE(test::InOldPool, "..."): a test with such a pool.
struct InOldPool {
  const OldPool pool;
};

/// Such a pool with a flipped bit, and a record that says that it is sound: a program opens it only if it reads the record.
struct RottenPool : OldPool {
  RottenPool();
};

/// Changes bytes of a file without changing its length, and restores the time of its last change.
void change_secretly(const std::string& path, const std::function<void(std::string& bytes)>& change);

}  // namespace inkling::test
