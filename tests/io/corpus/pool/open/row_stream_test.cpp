#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/open/read_pool.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

// All rows of a pool, joined from the blocks of a stream.
CsrMatrix streamed(const std::string& path, std::int64_t block_entries, PoolTrust trust = PoolTrust::checksums) {
  const OpenPool pool(path);
  RowStream stream(pool, trust, block_entries);
  CsrMatrix matrix(static_cast<std::int32_t>(stream.manifest().columns));
  CsrBlock block;
  while (stream.next(block)) {
    CHECK(block.first_row == matrix.view().rows());
    CHECK((block.view().nonzeros() <= block_entries || block.view().rows() == 1));
    for (std::int32_t row = 0; row < block.view().rows(); ++row) matrix.append_row(block.view().row(row));
  }
  CHECK_FALSE(stream.next(block));
  return matrix;
}

TEST_CASE_FIXTURE(test::InFolder, "rows arrive whole and in order for any size of blocks") {
  RandomStream random = test::stream_for(31);
  const test::SmallPool pool = test::random_small_pool(
      {.documents = 200, .features = 50, .density = 0.2, .degenerate = true, .wild_values = true}, random);
  test::write_pool(pool, folder.file("P"));
  const CsrMatrix expected = test::matrix_of(pool.columns, pool.rows);
  for (const std::int64_t block_entries : {1, 7, 100, 1'000'000}) {
    const CsrMatrix rows = streamed(folder.file("P"), block_entries);
    CHECK(test::same_matrix(rows.view(), expected.view()));
  }
}

TEST_CASE_FIXTURE(test::InFolder, "files of several checksum blocks stream as they are") {
  test::SmallPool pool = {.columns = 1000};
  for (int row = 0; row < 600; ++row) {
    test::RowOfEntries& entries = pool.rows.emplace_back();
    for (FeatureId feature = 0; feature < 1000; ++feature) entries.push_back({feature, static_cast<float>(row)});
  }
  test::write_pool(pool, folder.file("P"), {.block_rows = 100, .memory = 1U << 24U});
  const CsrMatrix expected = test::matrix_of(pool.columns, pool.rows);
  const CsrMatrix rows = streamed(folder.file("P"), 5000);
  CHECK(test::same_matrix(rows.view(), expected.view()));
}

TEST_CASE_FIXTURE(test::InFolder, "pools without rows or entries have nothing to stream") {
  test::write_pool({.columns = 3}, folder.file("P"));
  const CsrMatrix none = streamed(folder.file("P"), 10);
  CHECK(none.view().rows() == 0);
  test::write_pool({.columns = 3, .rows = {{}, {}}}, folder.file("P"));
  const CsrMatrix empty = streamed(folder.file("P"), 10);
  CHECK(empty.view().rows() == 2);
}

TEST_CASE_FIXTURE(test::InFolder, "a pool that was replaced by something else is refused with the name of the file") {
  const std::string path = folder.file("P");
  CHECK_THROWS_AS(OpenPool{path}, SystemError);
  test::write_pool(test::small_pool(), path);
  for (const char* const name : {"indptr.npy", "indices.npy", "data.npy"}) {
    const std::string file = pool_file_path(path, name);
    const auto size = fs::file_size(file);
    fs::resize_file(file, size - 1);
    CHECK_THROWS_WITH_AS(OpenPool{path},
                         (file + ": truncated: " + std::to_string(size - 1) + " bytes of " + std::to_string(size)).c_str(),
                         CorruptFileError);
    fs::resize_file(file, size);
    {
      std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
      stream.seekp(static_cast<std::streamoff>(size - 1));
      stream.put('\x55');
    }
    CHECK_THROWS_AS(static_cast<void>(streamed(path, 100)), CorruptFileError);
    fs::remove(file);
    CHECK_THROWS_WITH_AS(OpenPool{path}, (file + ": missing").c_str(), CorruptFileError);
    test::write_pool(test::small_pool(), path);
  }
  fs::remove(path + "/manifest.json");
  CHECK_THROWS_WITH_AS(OpenPool{path}, (path + ": expected a pool, which has a manifest.json, found none").c_str(),
                       CorruptFileError);
}

TEST_CASE_FIXTURE(test::InFolder, "an unchecked flipped bit of the rows gives an error or other rows and does no harm") {
  const std::string path = folder.file("P");
  test::write_pool(test::small_pool(), path);
  for (const char* const name : {"indptr.npy", "indices.npy", "data.npy"}) {
    const std::string file = pool_file_path(path, name);
    const auto bits = static_cast<std::streamoff>(8 * fs::file_size(file));
    for (std::streamoff bit = 800; bit < bits; bit += 3) {
      test::flip_bit_of(file, bit);
      CHECK_THROWS_AS(static_cast<void>(streamed(path, 3)), CorruptFileError);
      try {
        static_cast<void>(streamed(path, 3, PoolTrust::structure));
      } catch (const CorruptFileError&) {
        // The pool may also be refused.
      }
      test::flip_bit_of(file, bit);
    }
  }
}

}  // namespace
}  // namespace inkling
