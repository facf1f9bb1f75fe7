#include "io/corpus/pool/write/matrix_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"
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

struct Sides {
  std::vector<std::pair<FeatureId, float>> by_row;
  std::vector<std::pair<FeatureId, std::uint32_t>> by_feature;
  bool operator==(const Sides&) const = default;
};

Sides sides_of(const SortedBlock& sorted) {
  Sides sides;
  for (std::size_t n = 0; n < sorted.features.size(); ++n) sides.by_row.emplace_back(sorted.features[n], sorted.values[n]);
  for (const GroupedEntry& entry : sorted.by_feature)
    sides.by_feature.emplace_back(entry.key, static_cast<std::uint32_t>(entry.member));
  return sides;
}

// The plain twin: two ordered maps.
Sides plainly_sorted(const UnsortedBlock& block) {
  std::map<std::pair<std::uint32_t, FeatureId>, float> rows;
  std::map<std::pair<FeatureId, std::uint32_t>, float> columns;
  for (const GroupedEntry& entry : block.entries) {
    const auto row = static_cast<std::uint32_t>(entry.member);
    rows[{row, entry.key}] = entry.value;
    columns[{entry.key, row}] = entry.value;
  }
  Sides sides;
  for (const auto& [place, value] : rows) sides.by_row.emplace_back(place.second, value);
  for (const auto& [place, value] : columns) sides.by_feature.push_back(place);
  return sides;
}

UnsortedBlock random_block(std::int32_t columns, RandomStream& random) {
  UnsortedBlock block = {.rows = static_cast<std::uint32_t>(random.below(20)), .entries = {}};
  for (std::uint32_t row = 0; row < block.rows; ++row) {
    std::vector<FeatureId> features;
    for (std::uint64_t n = random.below(12); n > 0; --n) {
      const auto feature = static_cast<FeatureId>(random.below(static_cast<std::uint64_t>(columns)));
      if (std::ranges::find(features, feature) == features.end()) features.push_back(feature);
    }
    for (const FeatureId feature : features)
      block.entries.push_back({feature, static_cast<std::int32_t>(row), static_cast<float>(random.uniform())});
  }
  return block;
}

TEST_CASE("a small block is sorted both ways as by hand") {
  const UnsortedBlock block = {.rows = 3, .entries = {{7, 0, 0.5F}, {2, 0, 1.0F}, {7, 2, 2.0F}, {0, 2, 3.0F}, {2, 2, 4.0F}}};
  const SortedBlock sorted = test::sorted_block(block, 8);
  CHECK(sorted.row_sizes == std::vector<std::uint32_t>{2, 0, 3});
  CHECK(sorted.features == std::vector<FeatureId>{2, 7, 0, 2, 7});
  CHECK(sorted.values == std::vector<float>{1.0F, 0.5F, 3.0F, 4.0F, 2.0F});
  CHECK(sides_of(sorted).by_feature == std::vector<std::pair<FeatureId, std::uint32_t>>{{0, 2}, {2, 0}, {2, 2}, {7, 0}, {7, 2}});
}

TEST_CASE("random blocks are sorted as the plain twin sorts them, for any number of columns") {
  constexpr std::uint64_t seed = 41;
  BlockSorter sorter;
  SortedBlock sorted;
  test::each_case(seed, 300, [&](RandomStream& random, std::uint64_t trial) {
    const std::vector<std::int32_t> widths = {1, 2, 30, 2048, 2049, 70'000, 1 << 22, (1 << 22) + 1, 2'147'483'647};
    const std::int32_t columns = widths[random.below(widths.size())];
    const UnsortedBlock block = random_block(columns, random);
    sorter.sort(block, columns, sorted);
    if (sides_of(sorted) != plainly_sorted(block)) FAIL_CHECK("seed " << seed << " trial " << trial);
  });
}

TEST_CASE("a feature twice in a row or beyond the columns is refused with its row") {
  const auto sort = [](const std::vector<GroupedEntry>& entries) {
    static_cast<void>(test::sorted_block({.rows = 3, .entries = entries}, 5));
  };
  CHECK_THROWS_WITH_AS(sort({{4, 1, 1.0F}, {0, 1, 1.0F}, {4, 1, 1.0F}}),
                       "row 1 of the block: expected each feature once, got feature 4 twice", FormatError);
  CHECK_THROWS_WITH_AS(sort({{5, 2, 1.0F}}), "row 2 of the block: expected a feature from 0 to 4, got 5", FormatError);
  CHECK_THROWS_AS(sort({{-1, 2, 1.0F}}), FormatError);
  CHECK_NOTHROW(sort({{4, 0, 1.0F}, {4, 1, 1.0F}, {0, 1, 1.0F}}));
}

TEST_CASE("rows that do not ascend within the block are the caller's mistake") {
  CHECK_THROWS_AS(static_cast<void>(test::sorted_block({.rows = 2, .entries = {{0, 1, 1.0F}, {0, 0, 1.0F}}}, 1)),
                  std::logic_error);
  CHECK_THROWS_AS(static_cast<void>(test::sorted_block({.rows = 2, .entries = {{0, 2, 1.0F}}}, 1)), std::logic_error);
  CHECK_THROWS_AS(static_cast<void>(test::sorted_block({.rows = 65'537, .entries = {}}, 1)), std::logic_error);
}

}  // namespace
}  // namespace inkling
