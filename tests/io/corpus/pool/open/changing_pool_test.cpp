// Pools whose files are cut short, overwritten or replaced while they are open, or are no regular files.
#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#ifndef _WIN32
#  include <sys/resource.h>
#endif

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/output_file.hpp"
#include "io/corpus/matrix/matrix_export.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "io/corpus/pool/open/read_pool.hpp"
#include "tests/support/engine/messages.hpp"
#include "tests/support/io/pipes.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

std::string refusal_of(const auto& work) { return test::error_of<CorruptFileError>(work); }

// Everything that commands do with an open pool, and what they do at the end.
void use_all_of(const Pool& pool, const std::string& to) {
  const ExportedMatrix matrix = {pool.view().by_document, pool.labels(), pool.label_names()};
  for (const auto write : {export_svmlight, export_matrix_market, export_npz}) {
    OutputFile file(to);
    write(matrix, file);
  }
  const std::optional<StringTable>& ids = pool.ids();
  const std::optional<StringTable>& texts = pool.texts();
  for (std::int64_t row = 0; row < pool.manifest().rows; ++row) {
    static_cast<void>((*ids)[row].size() + (*texts)[row].size());
    static_cast<void>(pool.row(static_cast<DocumentId>(row)));
  }
  for (FeatureId feature = 0; feature < pool.view().features(); ++feature) {
    static_cast<void>(pool.view().by_feature.row(feature).size());
    static_cast<void>((*pool.vocabulary())[feature].size());
  }
  pool.check_unchanged();
}

TEST_CASE_FIXTURE(test::InFolder, "a file that is cut short while it is open is an error") {
  const std::string path = folder.file("P");
  for (const std::string_view name : kPoolFileNames) {
    CAPTURE(name);
    const std::string file = pool_file_path(path, name);
    for (const double share : {0.05, 0.3, 0.7, 0.99}) {
      test::write_pool(test::small_pool(), path);
      const Pool pool = Pool::open(path);
      const PoolSet read = PoolSet::open(std::vector{path}, PoolAccess::read, PoolTrust::checksums);
      const auto size = fs::file_size(file);
      fs::resize_file(file, static_cast<std::uintmax_t>(share * static_cast<double>(size)));
      CHECK(refusal_of([&] { use_all_of(pool, folder.file("out")); }).starts_with(path));
      const bool is_kept_open = name.find("indptr") != std::string_view::npos && !name.starts_with("documents");
      if (is_kept_open) CHECK(refusal_of([&] { read.check_unchanged(); }).starts_with(file));
      fs::resize_file(file, size);
      CHECK(refusal_of([&] { use_all_of(pool, folder.file("out")); }).starts_with(path));
    }
  }
}

TEST_CASE_FIXTURE(test::InFolder, "a file that is overwritten while it is open is reported") {
  const std::string path = folder.file("P");
  test::write_pool(test::small_pool(), path);
  const PoolSet mapped = PoolSet::open(std::vector{path}, PoolAccess::map, PoolTrust::checksums);
  const PoolSet read = PoolSet::open(std::vector{path}, PoolAccess::read, PoolTrust::checksums);
  mapped.check_unchanged();
  read.check_unchanged();
  fs::last_write_time(path + "/data.npy", fs::file_time_type::clock::now() + std::chrono::hours(1));
  const std::string expected = path + "/data.npy: was changed while it was being read";
  CHECK(refusal_of([&] { mapped.check_unchanged(); }) == expected);
  CHECK(refusal_of([&] { read.check_unchanged(); }) == expected);
}

TEST_CASE_FIXTURE(test::InFolder, "the size of a replaced pool is that of the one that was opened") {
  const std::string path = folder.file("P");
  test::write_pool(test::small_pool(), path);
  const std::uint64_t bytes = pool_bytes(path);
  const Pool pool = Pool::open(path);
  CHECK(pool.bytes() == bytes);
  test::write_pool({.columns = 1}, path);
  CHECK(pool.bytes() == bytes);
  fs::remove_all(path);
  CHECK(pool.bytes() == bytes);
  pool.check_unchanged();
}

TEST_CASE_FIXTURE(test::InFolder,
                  "a pipe, a device or a folder in place of a file, or too large a manifest, is refused at once") {
  const std::string path = folder.file("P");
  using Made = bool (*)(const std::string& file);
  const auto others =
      std::to_array<Made>({test::made_named_pipe, [](const std::string& file) { return test::made_link("/dev/zero", file); },
                           [](const std::string& file) { return fs::create_directory(file); }});
  for (const char* const name : {"manifest.json", "data.npy", "by_feature/indptr.npy", "documents/texts.npy"}) {
    for (const auto& is_made : others) {
      test::write_pool(test::small_pool(), path);
      const std::string file = pool_file_path(path, name);
      fs::remove(file);
      const bool is_there = is_made(file);
      const std::string expected = file + ": expected a file, found a folder, a pipe or a device";
      if (is_there) {
        CHECK(refusal_of([&] { static_cast<void>(Pool::open(path)); }) == expected);
        CHECK(refusal_of([&] { static_cast<void>(ReadPool(path, PoolTrust::structure)); }) == expected);
        CHECK(refusal_of([&] { static_cast<void>(verify_pool(path)); }) == expected);
      }
      fs::remove_all(path);
    }
  }

  test::write_pool(test::small_pool(), path);
  fs::resize_file(path + "/manifest.json", std::uintmax_t{3} << 30U);
  const std::string expected =
      path + "/manifest.json: expected a manifest of at most 67,108,864 bytes for these files, found 3,221,225,472";
  CHECK(refusal_of([&] { static_cast<void>(Pool::open(path)); }) == expected);
  CHECK(refusal_of([&] { static_cast<void>(ReadPool(path, PoolTrust::checksums)); }) == expected);
  CHECK(refusal_of([&] { static_cast<void>(verify_pool(path)); }) == expected);
}

#if !defined(_WIN32) && !defined(__SANITIZE_ADDRESS__)  // the sanitizer needs descriptors of its own
TEST_CASE_FIXTURE(test::InFolder, "more pools than the limit of open files are read all the same") {
  const std::string path = folder.file("P");
  test::write_pool(test::small_pool(), path);
  rlimit before = {};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  rlimit low = before;
  low.rlim_cur = 40;
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &low) == 0);
  const std::vector<std::string> paths(20, path);
  CHECK(PoolSet::open(paths, PoolAccess::read, PoolTrust::checksums).documents() == 100);
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
}
#endif

}  // namespace
}  // namespace inkling
