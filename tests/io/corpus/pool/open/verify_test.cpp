#include <atomic>
#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

TEST_CASE_FIXTURE(test::InFolder, "a sound pool is reported with its sizes and progress ends at the total") {
  test::write_pool(test::small_pool(), folder.file("P"));
  std::atomic<std::uint64_t> most = 0;
  std::atomic<std::uint64_t> total = 0;
  const VerifyReport report = verify_pool(folder.file("P"), [&](std::uint64_t done, std::uint64_t of) {
    std::uint64_t seen = most;
    while (done > seen && !most.compare_exchange_weak(seen, done)) {
    }
    total = of;
  });
  const test::PoolBytes pool(folder.file("P"));
  std::uint64_t bytes = 0;
  for (const auto& [name, content] : pool.files()) bytes += content.size();
  CHECK(report.files == 20);
  CHECK(report.bytes == bytes);
  CHECK(report.manifest.rows == 5);
  CHECK(report.manifest.columns == 7);
  CHECK(report.manifest.nonzeros == 11);
  CHECK(most == total);
  CHECK(total == 2 * bytes);
}

TEST_CASE_FIXTURE(test::InFolder, "a damaged pool and an absent one are errors") {
  CHECK_THROWS_AS(static_cast<void>(verify_pool(folder.file("P"))), SystemError);
  test::write_pool(test::small_pool(), folder.file("P"));
  {
    std::fstream file(folder.file("P/data.npy"), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(130);
    file.put('x');
  }
  CHECK_THROWS_WITH_AS(static_cast<void>(verify_pool(folder.file("P"))),
                       (folder.file("P/data.npy") + ": damaged: the 172 bytes from 0 on are not what was written").c_str(),
                       CorruptFileError);
  std::filesystem::resize_file(folder.file("P/data.npy"), 150);
  CHECK_THROWS_WITH_AS(static_cast<void>(verify_pool(folder.file("P"))),
                       (folder.file("P/data.npy") + ": truncated: 150 bytes of 172").c_str(), CorruptFileError);
}

}  // namespace
}  // namespace inkling
