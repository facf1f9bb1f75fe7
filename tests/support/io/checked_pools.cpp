#include "tests/support/io/checked_pools.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <doctest/doctest.h>

#include "io/corpus/pool/open/checked_record.hpp"
#include "tests/support/engine/environment.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {

CacheOfUser::CacheOfUser(const std::string& path) : before_(std::getenv("XDG_CACHE_HOME")) {
  set_environment("XDG_CACHE_HOME", path);
}

CacheOfUser::~CacheOfUser() { set_environment("XDG_CACHE_HOME", before_); }

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
