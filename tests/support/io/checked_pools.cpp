#include "tests/support/io/checked_pools.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include <doctest/doctest.h>

#include "io/base/file/corrupt_file_error.hpp"
#include "tests/support/engine/environment.hpp"
#include "tests/support/io/small_pools.hpp"

namespace inkling::test {

namespace {

std::string value_of(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

// Folders with a pool each, whose files are old enough for a record. Many are made at once, because one has to wait for that.
template <void (*damage)(const std::string& pool)>
std::unique_ptr<TemporaryFolder> folder_of_old_pool() {
  static std::vector<std::unique_ptr<TemporaryFolder>> folders;
  if (folders.empty()) {
    for (int n = 0; n < 7; ++n) {
      folders.push_back(std::make_unique<TemporaryFolder>());
      write_pool(small_pool(), folders.back()->file("P"));
      damage(folders.back()->file("P"));
    }
    wait_for_records();
  }
  std::unique_ptr<TemporaryFolder> folder = std::move(folders.back());
  folders.pop_back();
  return folder;
}

void leave_whole(const std::string& /*pool*/) {}
void flip_a_bit(const std::string& pool) { flip_bit_of(pool + "/data.npy", 8 * 128); }

}  // namespace

CacheOfUser::CacheOfUser(const std::string& path) : before_(value_of(kFolderOfCaches)) { set_environment(kFolderOfCaches, path); }

CacheOfUser::~CacheOfUser() { set_environment(kFolderOfCaches, before_); }

OldPool::OldPool() : OldPool(folder_of_old_pool<leave_whole>()) {}
OldPool::OldPool(std::unique_ptr<TemporaryFolder> of_pool) : owned(std::move(of_pool)) {
  std::filesystem::create_directory(cache);
}

bool OldPool::opens(PoolTrust trust, PoolAccess access) const {
  try {
    static_cast<void>(PoolSet::open(std::vector{path}, access, trust));
    return true;
  } catch (const CorruptFileError&) {
    return false;
  }
}

RottenPool::RottenPool() : OldPool(folder_of_old_pool<flip_a_bit>()) { record().write(); }

std::vector<std::filesystem::path> records_in(const std::filesystem::path& cache) {
  std::vector<std::filesystem::path> records;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(cache / "inkling", none)) records.push_back(entry.path());
  std::ranges::sort(records);
  return records;
}

void wait_for_records() { std::this_thread::sleep_for(std::chrono::milliseconds(3100)); }

bool keeps_records_of(const std::string& pool) {
  const TemporaryFolder cache;
  const CacheOfUser set(cache.path().generic_string());
  const CheckedRecord record{OpenPool(pool)};
  record.write();
  return record.is_there();
}

void change_secretly(const std::string& path, const std::function<void(std::string& bytes)>& change) {
  const auto before = std::filesystem::last_write_time(path);
  std::string bytes = text_of(path);
  change(bytes);
  std::fstream(path, std::ios::binary | std::ios::in | std::ios::out) << bytes;
  std::filesystem::last_write_time(path, before);
}

}  // namespace inkling::test
