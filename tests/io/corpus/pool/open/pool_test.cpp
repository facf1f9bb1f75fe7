#include "io/corpus/pool/open/pool.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/output_file.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

TEST_CASE_FIXTURE(test::InFolder, "a pool opens with everything that was written") {
  const test::SmallPool written = test::small_pool();
  test::write_pool(written, folder.file("P"));
  for (const PoolTrust trust : {PoolTrust::checksums, PoolTrust::structure}) {
    const Pool pool = Pool::open(folder.file("P"), trust);
    CHECK(pool.path() == folder.file("P"));
    CHECK(pool.manifest().rows == 5);
    CHECK(pool.manifest().columns == 7);
    CHECK(pool.manifest().nonzeros == 11);
    CHECK(pool.manifest().program_version == "0.1.0");
    CHECK(pool.manifest().recipe == written.recipe);
    const CsrMatrix rows = test::matrix_of(7, written.rows);
    CHECK(test::same_matrix(pool.view().by_document, rows.view()));
    const CsrMatrix columns = transposed(rows.view());
    CHECK(test::same_matrix(pool.view().by_feature, columns.view()));
    CHECK(test::strings_of(pool.vocabulary()) == *written.vocabulary);
    CHECK(test::strings_of(pool.ids()) == *written.ids);
    CHECK(test::strings_of(pool.texts()) == *written.texts);
    CHECK(std::ranges::equal(pool.idf(), *written.idf));
    CHECK(std::ranges::equal(pool.labels(), written.labels));
    CHECK(pool.label_names() == written.label_names);
    CHECK(std::ranges::equal(pool.document_frequency(), std::vector<int>{2, 2, 3, 0, 0, 1, 3}));
  }
}

TEST_CASE_FIXTURE(test::InFolder, "a pool without the optional files opens without them") {
  test::write_pool({.columns = 2, .rows = {{{1, 1.0F}}}}, folder.file("P"));
  const Pool pool = Pool::open(folder.file("P"));
  CHECK_FALSE(pool.vocabulary());
  CHECK_FALSE(pool.ids());
  CHECK_FALSE(pool.texts());
  CHECK(pool.idf().empty());
  CHECK(pool.labels().empty());
  CHECK(pool.label_names().empty());
  CHECK_FALSE(pool.feature_of("boat"));
  CHECK_FALSE(fs::exists(folder.file("P/documents")));
}

TEST_CASE_FIXTURE(test::InFolder, "terms are found by name, and other words are not") {
  test::write_pool(test::small_pool(), folder.file("P"));
  const Pool pool = Pool::open(folder.file("P"));
  for (FeatureId feature = 0; feature < 7; ++feature) CHECK(pool.feature_of((*pool.vocabulary())[feature]) == feature);
  for (const char* const other : {"", "a", "boats", "zebra", "\xFF"}) CHECK_FALSE(pool.feature_of(other));
}

// That these are the small pool's, and that they can be read by a view of another object.
void check_small_pool(const Pool& pool, const CsrView& view) {
  const CsrMatrix rows = test::matrix_of(7, test::small_pool().rows);
  CHECK(test::same_matrix(view, rows.view()));
  CHECK((*pool.vocabulary())[2] == "keel");
  CHECK((*pool.ids())[3] == "b/1");
}

TEST_CASE_FIXTURE(test::InFolder, "a pool moves with its views") {
  test::write_pool(test::small_pool(), folder.file("P"));
  Pool first = Pool::open(folder.file("P"));
  const CsrView view = first.view().by_document;
  const Pool second = std::move(first);
  check_small_pool(second, view);
}

TEST_CASE_FIXTURE(test::InFolder, "a pool outlives its files") {
  test::write_pool(test::small_pool(), folder.file("P"));
  const Pool pool = Pool::open(folder.file("P"));
  fs::remove_all(folder.file("P"));
  test::write_pool({.columns = 1}, folder.file("P"));
  check_small_pool(pool, pool.view().by_document);
}

TEST_CASE_FIXTURE(test::InFolder, "a path that is not a pool is refused with what it is") {
  try {
    static_cast<void>(Pool::open(folder.file("absent")));
    FAIL("no error");
  } catch (const SystemError& error) {
    CHECK(error.error_number() == ENOENT);
  }
  write_file(folder.file("file"), "text");
  CHECK_THROWS_WITH_AS(static_cast<void>(Pool::open(folder.file("file"))),
                       (folder.file("file") + ": expected a pool, which is a folder, found a file").c_str(), CorruptFileError);
  fs::create_directory(folder.file("folder"));
  CHECK_THROWS_WITH_AS(static_cast<void>(Pool::open(folder.file("folder/"))),
                       (folder.file("folder/") + ": expected a pool, which has a manifest.json, found none").c_str(),
                       CorruptFileError);
}

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
  CHECK(report.files == 25);
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
