// Pools of which a record may be kept, and where the records of tests lie.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace inkling::test {

/// $XDG_CACHE_HOME of this process and of the programs that it starts, for as long as this lives.
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

/// Waits until no file of any pool has changed so lately that no record of it would be kept.
void wait_for_records();

/// Whether records are kept of pools in a folder: not on every file system.
[[nodiscard]] bool keeps_records_of(const std::string& pool);

/// Replaces bytes of a file, as many as there were, and gives it back the time of its last write.
void change_secretly(const std::string& path, const std::function<void(std::string& bytes)>& change);

}  // namespace inkling::test
