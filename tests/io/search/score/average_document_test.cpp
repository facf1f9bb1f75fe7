#include "io/search/score/average_document.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "engine/scoring/survey/average_document.hpp"
#include "io/corpus/pool/open/checked_record.hpp"
#include "tests/support/io/checked_pools.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

constexpr std::int32_t kAveragedColumns = 7;

test::SmallPool averaged_pool(int rows, RandomStream& random) {
  test::SmallPool pool;
  pool.columns = kAveragedColumns;
  for (int row = 0; row < rows; ++row) {
    pool.rows.emplace_back();
    for (FeatureId feature = 0; feature + 1 < kAveragedColumns; ++feature)  // no document holds the last feature
      if (random.coin(0.4)) pool.rows.back().push_back({feature, static_cast<float>(random.normal())});
  }
  return pool;
}

TEST_CASE("the average document is the mean of each feature over all pools, mapped or read") {
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    CAPTURE(trial);
    RandomStream random(41, trial, RandomRole::pool);
    const std::vector<test::SmallPool> pools = {averaged_pool(static_cast<int>(1 + trial), random), averaged_pool(4, random)};
    const test::TemporaryFolder folder;
    std::vector<std::string> paths;
    std::vector<double> sums(kAveragedColumns, 0.0);
    for (const test::SmallPool& pool : pools) {
      paths.push_back(folder.file("pool" + std::to_string(paths.size())));
      test::write_pool(pool, paths.back());
      for (const auto& row : pool.rows)
        for (const auto& entry : row) sums[static_cast<std::size_t>(entry.feature)] += static_cast<double>(entry.value);
    }
    const AverageDocument mapped = average_document(PoolSet::open(paths, PoolAccess::map, PoolTrust::checksums));
    const AverageDocument read = average_document(PoolSet::open(paths, PoolAccess::read, PoolTrust::checksums));
    CHECK(mapped.features == read.features);
    CHECK(mapped.values == read.values);
    REQUIRE(mapped.features.size() == mapped.values.size());
    std::vector<double> average(kAveragedColumns, 0.0);
    for (std::size_t n = 0; n < mapped.features.size(); ++n)
      average[static_cast<std::size_t>(mapped.features[n])] = static_cast<double>(mapped.values[n]);
    for (std::size_t feature = 0; feature < sums.size(); ++feature)
      CHECK(average[feature] == doctest::Approx(sums[feature] / static_cast<double>(trial + 5)).epsilon(1e-6));
    CHECK(average.back() == 0.0);
    const PoolSet one = PoolSet::open(std::span(paths).first(1), PoolAccess::map, PoolTrust::checksums);
    const AverageDocument found = average_document(one);
    const AverageDocument of_engine = average_document(one.view(0).by_feature);
    CHECK(found.features == of_engine.features);
    CHECK(found.values == of_engine.values);
  }
}

TEST_CASE_FIXTURE(test::InFolder, "the average document of a long pool leaves out rare features, mapped or read") {
  RandomStream random(41, 20, RandomRole::pool);
  test::SmallPool pool;
  pool.columns = kAveragedColumns;
  for (int row = 0; row < 2'500; ++row) {
    pool.rows.emplace_back();
    for (FeatureId feature = 0; feature < kAveragedColumns; ++feature)  // about 2.5 documents hold each feature
      if (random.coin(0.001)) pool.rows.back().push_back({feature, 1.0F});
  }
  const std::vector<std::string> paths = {folder.file("pool")};
  test::write_pool(pool, paths.front());
  const AverageDocument mapped = average_document(PoolSet::open(paths, PoolAccess::map, PoolTrust::checksums));
  const AverageDocument read = average_document(PoolSet::open(paths, PoolAccess::read, PoolTrust::checksums));
  CHECK(!mapped.features.empty());
  CHECK(std::ssize(mapped.features) < kAveragedColumns);
  CHECK(mapped.features == read.features);
  CHECK(mapped.values == read.values);
}

TEST_CASE_FIXTURE(test::InFolder, "the average document is kept beside the record of a pool and is ignored if it changed") {
  RandomStream random(41, 21, RandomRole::pool);
  const std::string path = folder.file("pool");
  test::write_pool(averaged_pool(30, random), path);
  const std::string cache = folder.file("cache");
  std::filesystem::create_directory(cache);
  const test::CacheOfUser set(cache);
  test::wait_for_records();
  if (!test::keeps_records_of(path)) return;
  const auto average_of = [&](PoolTrust trust) {
    const AverageDocument average = average_document(PoolSet::open(std::vector{path}, PoolAccess::map, trust));
    return std::pair(average.features, average.values);
  };
  const auto truth = average_of(PoolTrust::checksums);
  CHECK(test::records_in(cache).empty());
  CHECK(average_of(PoolTrust::remembered) == truth);
  REQUIRE(test::records_in(cache).size() == 2);
  const std::string kept = test::records_in(cache).back().generic_string();
  const std::string whole = test::text_of(kept);

  const CheckedRecord record{OpenPool(path)};
  const auto keep = [&](const std::vector<FeatureId>& features, const std::vector<float>& values) {
    const std::array<std::span<const std::byte>, 2> pieces = {std::as_bytes(std::span(features)),
                                                              std::as_bytes(std::span(values))};
    record.keep(CheckedRecord::kAverage, pieces);
  };
  keep({2, 5}, {0.5F, 7.0F});  // impossible for this pool, so it can only come from the kept file
  CHECK(average_of(PoolTrust::remembered) == std::pair(std::vector{2, 5}, std::vector{0.5F, 7.0F}));
  CHECK(average_of(PoolTrust::checksums) == truth);
  for (const std::vector<FeatureId>& wrong : {std::vector{5, 2}, std::vector{2, 2}, std::vector{-1, 2},
                                              std::vector{2, kAveragedColumns}, std::vector{0, 1, 2, 3, 4, 5, 6, 7}}) {
    keep(wrong, std::vector<float>(wrong.size(), 1.0F));
    CHECK(average_of(PoolTrust::remembered) == truth);
  }
  CHECK(test::text_of(kept) == whole);
  const auto counts = [&](const std::string& text) {
    std::ofstream(kept, std::ios::binary) << text;
    return record.kept(CheckedRecord::kAverage).has_value();
  };
  CHECK(counts(whole));
  for (std::size_t length = 0; length < whole.size(); ++length) CHECK_FALSE(counts(whole.substr(0, length)));
  for (std::size_t bit = 0; bit < 8 * whole.size(); bit += 3)
    if (counts(test::with_flipped_bit(whole, bit))) FAIL_CHECK("bit " << bit);
  CHECK_FALSE(counts(whole + "x"));
  keep({2}, {9.0F});
  CHECK(average_of(PoolTrust::renewed) == truth);
  keep({2}, {9.0F});
  std::filesystem::last_write_time(path + "/data.npy", std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  CHECK(average_of(PoolTrust::remembered) == truth);
}

}  // namespace
}  // namespace inkling
