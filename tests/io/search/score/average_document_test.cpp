#include "io/search/score/average_document.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "engine/policy/average_document.hpp"
#include "tests/support/small_pools.hpp"
#include "tests/support/temporary_folder.hpp"

namespace inkling {
namespace {

constexpr std::int32_t kAveragedColumns = 7;

test::SmallPool averaged_pool(int rows, RandomStream& random) {
  test::SmallPool pool;
  pool.columns = kAveragedColumns;
  for (int row = 0; row < rows; ++row) {
    pool.rows.emplace_back();
    for (FeatureId feature = 0; feature + 1 < kAveragedColumns; ++feature)  // no document holds the last one
      if (random.coin(0.4)) pool.rows.back().push_back({feature, static_cast<float>(random.normal())});
  }
  return pool;
}

TEST_CASE("the average document is the mean of each feature over all pools, mapped or read") {
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    CAPTURE(trial);
    RandomStream random(41, trial, RandomRole::pool);
    const std::vector<test::SmallPool> pools = {averaged_pool(static_cast<int>(1 + trial), random),
                                                averaged_pool(4, random)};
    const test::TemporaryFolder folder;
    std::vector<std::string> paths;
    std::vector<double> sums(kAveragedColumns, 0.0);
    for (const test::SmallPool& pool : pools) {
      paths.push_back(folder.file("pool" + std::to_string(paths.size())));
      test::write_pool(pool, paths.back(), {.calls = test::calls_without_fsync()});
      for (const auto& row : pool.rows)
        for (const auto& entry : row)
          sums[static_cast<std::size_t>(entry.feature)] += static_cast<double>(entry.value);
    }
    const AverageDocument mapped =
        average_document(PoolSet::open(paths, PoolAccess::map, PoolTrust::checksums));
    const AverageDocument read =
        average_document(PoolSet::open(paths, PoolAccess::read, PoolTrust::checksums));
    CHECK(mapped.features == read.features);
    CHECK(mapped.values == read.values);
    REQUIRE(mapped.features.size() == mapped.values.size());
    std::vector<double> average(kAveragedColumns, 0.0);
    for (std::size_t n = 0; n < mapped.features.size(); ++n)
      average[static_cast<std::size_t>(mapped.features[n])] = static_cast<double>(mapped.values[n]);
    for (std::size_t feature = 0; feature < sums.size(); ++feature)
      CHECK(average[feature] ==
            doctest::Approx(sums[feature] / static_cast<double>(trial + 5)).epsilon(1e-6));
    CHECK(average.back() == 0.0);
    const PoolSet one = PoolSet::open(std::span(paths).first(1), PoolAccess::map, PoolTrust::checksums);
    const AverageDocument found = average_document(one);
    const AverageDocument of_engine = average_document(one.view(0).by_feature);
    CHECK(found.features == of_engine.features);
    CHECK(found.values == of_engine.values);
  }
}

TEST_CASE("the average document of a long pool leaves out rare features, mapped or read") {
  RandomStream random(41, 20, RandomRole::pool);
  test::SmallPool pool;
  pool.columns = kAveragedColumns;
  for (int row = 0; row < 2'500; ++row) {
    pool.rows.emplace_back();
    for (FeatureId feature = 0; feature < kAveragedColumns;
         ++feature)  // 2.5 documents hold each, more or less
      if (random.coin(0.001)) pool.rows.back().push_back({feature, 1.0F});
  }
  const test::TemporaryFolder folder;
  const std::vector<std::string> paths = {folder.file("pool")};
  test::write_pool(pool, paths.front(), {.calls = test::calls_without_fsync()});
  const AverageDocument mapped =
      average_document(PoolSet::open(paths, PoolAccess::map, PoolTrust::checksums));
  const AverageDocument read = average_document(PoolSet::open(paths, PoolAccess::read, PoolTrust::checksums));
  CHECK(!mapped.features.empty());
  CHECK(std::ssize(mapped.features) < kAveragedColumns);
  CHECK(mapped.features == read.features);
  CHECK(mapped.values == read.values);
}

}  // namespace
}  // namespace inkling
