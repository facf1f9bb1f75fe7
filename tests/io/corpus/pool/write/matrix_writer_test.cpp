#include "io/corpus/pool/write/matrix_writer.hpp"

#include <string>

#include <doctest/doctest.h>

#include "engine/sparse/csr_matrix.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/with_threads.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

// Checks that the pool opens, and that its rows and columns are those that the engine computes.
void check_written(const test::SmallPool& pool, const std::string& path, const test::WriteOptions& options) {
  test::write_pool(pool, path, options);
  const Pool opened = Pool::open(path);
  const CsrMatrix rows = test::matrix_of(pool.columns, pool.rows);
  const CsrMatrix columns = transposed(rows.view());
  CHECK(test::same_matrix(opened.view().by_document, rows.view()));
  CHECK(test::same_matrix(opened.view().by_feature, columns.view()));
}

TEST_CASE_FIXTURE(test::InFolder, "both layouts are written as the engine transposes them") {
  test::each_case(99, 30, [&](RandomStream& random) {
    const test::RandomPoolOptions shape = {.documents = test::between(1, 60, random),
                                           .features = test::between(1, 60, random),
                                           .density = 0.02 + 0.3 * random.uniform(),
                                           .degenerate = true,
                                           .wild_values = true};
    const test::SmallPool pool = test::random_small_pool(shape, random);
    check_written(pool, folder.file("P"),
                  {.block_rows = static_cast<std::uint32_t>(1 + random.below(20)), .memory = random.below(1 << 16U)});
  });
}

TEST_CASE_FIXTURE(test::InFolder, "matrices without rows or columns or entries are pools") {
  check_written({.columns = 0}, folder.file("P"), {});
  check_written({.columns = 3}, folder.file("P"), {});
  check_written({.columns = 0, .rows = {{}, {}}}, folder.file("P"), {});
  check_written({.columns = 3, .rows = {{}, {}, {}}}, folder.file("P"), {});
}

TEST_CASE_FIXTURE(test::InFolder, "the bytes depend neither on the memory nor on the threads nor on the blocks") {
  RandomStream random = test::stream_for(3);
  test::SmallPool pool = test::random_small_pool({.documents = 3000, .features = 40, .density = 0.1}, random);
  for (test::RowOfEntries& row : pool.rows) {
    // Nearly every row has feature 0, which then does not fit in a part.
    if (row.empty() || row.front().feature != 0) row.insert(row.begin(), test::Entry{.feature = 0, .value = 1.0F});
  }
  test::write_pool(pool, folder.file("A"), {.block_rows = 100, .memory = 1U << 30U});
  const test::PoolBytes expected(folder.file("A"));
  for (const int threads : {1, 2, 8}) {
    for (const std::uint64_t memory : {0U, 1U << 14U, 1U << 18U}) {
      INFO("threads " << threads << " memory " << memory);
      const auto block_rows = static_cast<std::uint32_t>(1 + random.below(900));
      test::with_threads(threads,
                         [&] { test::write_pool(pool, folder.file("B"), {.block_rows = block_rows, .memory = memory}); });
      CHECK(test::PoolBytes(folder.file("B")).files() == expected.files());
    }
  }
}

TEST_CASE_FIXTURE(test::InFolder, "progress counts every non-zero once") {
  const test::SmallPool pool = test::small_pool();
  PoolStaging staging(folder.file("P"));
  MatrixWriter writer(staging, {2, 2, 3, 0, 0, 1, 3}, 0);
  writer.append(test::sorted_block(test::block_of(pool.rows, 0, 5), 7));
  std::int64_t told = 0;
  writer.finish([&](std::int64_t nonzeros) { told += nonzeros; });
  CHECK(told == 11);
  CHECK(writer.nonzeros() == 11);
  CHECK(writer.rows() == 5);
}

TEST_CASE_FIXTURE(test::InFolder, "a matrix that was counted wrongly is not written") {
  PoolStaging staging(folder.file("P"));
  MatrixWriter writer(staging, {2, 2, 3, 0, 0, 0, 4}, 0);
  writer.append(test::sorted_block(test::block_of(test::small_pool().rows, 0, 5), 7));
  CHECK_THROWS_AS(writer.finish(), std::logic_error);
}

}  // namespace
}  // namespace inkling
