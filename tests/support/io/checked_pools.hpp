// Pools old enough that the record of their check is kept, and a folder for such records.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace inkling::test {

/// Sets $XDG_CACHE_HOME of this process and of the programs that it starts, while this object lives.
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

/// Changes bytes of a file without changing its length, and restores the time of its last change.
void change_secretly(const std::string& path, const std::function<void(std::string& bytes)>& change);

}  // namespace inkling::test
