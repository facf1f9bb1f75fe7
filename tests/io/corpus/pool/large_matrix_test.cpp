// D6: a pool of more than 2^31 entries is built, verified and read. It takes minutes, and 40 GB in the folder of temporary
// files, so it runs only when asked for: io_tests --no-skip -tc="more than*"
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/pool/open/read_pool.hpp"
#include "io/corpus/pool/write/matrix_writer.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

constexpr std::int32_t columns = 1 << 16U;
constexpr std::uint32_t rows_of_block = 16;
constexpr std::int32_t blocks = (1 << 11U) + 1;
constexpr std::int32_t rows = blocks * static_cast<std::int32_t>(rows_of_block);
constexpr std::int64_t entries = std::int64_t{rows} * columns;
static_assert(entries > std::int64_t{1} << 31U);

// Every row holds every feature; rows of a block differ in their values alone.
SortedBlock full_block() {
  UnsortedBlock block = {.rows = rows_of_block, .entries = {}};
  for (std::uint32_t row = 0; row < rows_of_block; ++row)
    for (FeatureId feature = 0; feature < columns; ++feature)
      block.entries.push_back({feature, static_cast<std::int32_t>(row), static_cast<float>(row + 1)});
  return test::sorted_block(block, columns);
}

void write_full_pool(const std::string& path) {
  PoolStaging staging(path);
  const std::vector<std::int64_t> counts(columns, rows);
  MatrixWriter writer(staging, counts, std::uint64_t{512} << 20U);
  const SortedBlock block = full_block();
  for (int n = 0; n < blocks; ++n) writer.append(block);
  writer.finish();
  StagedArray<std::int32_t> frequency(staging, std::string(PoolFile::document_frequency));
  for (const std::int64_t count : counts) frequency.append(static_cast<std::int32_t>(count));
  frequency.close();
  staging.publish(
      {.rows = writer.rows(), .columns = columns, .nonzeros = writer.nonzeros(), .program_version = "0.1.0", .files = {}});
}

TEST_CASE_FIXTURE(test::InFolder, "more than 2^31 entries are written and verified and read" * doctest::skip()) {
  const std::string path = folder.file("P");
  write_full_pool(path);
  CHECK(verify_pool(path).manifest.nonzeros == entries);

  const Pool pool = Pool::open(path, PoolTrust::structure);
  CHECK(pool.view().by_document.nonzeros() == entries);
  CHECK(pool.view().by_document.row(rows - 1).features.back() == columns - 1);
  CHECK(pool.view().by_document.row(rows - 1).values.back() == static_cast<float>(rows_of_block));
  CHECK(pool.view().by_feature.row(columns - 1).features.back() == rows - 1);

  const OpenPool files(path);
  RowStream stream(files, PoolTrust::structure, std::int64_t{1} << 22U);
  CsrBlock block;
  std::int64_t seen = 0;
  while (stream.next(block)) seen += block.view().nonzeros();
  CHECK(seen == entries);
}

}  // namespace
}  // namespace inkling
