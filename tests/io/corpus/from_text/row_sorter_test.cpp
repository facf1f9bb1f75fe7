#include "io/corpus/from_text/row_sorter.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"

namespace inkling {
namespace {

// A row of `size` different features, or of half of all if that is fewer and there are many; low numbers are more frequent.
std::map<FeatureId, float> random_row_to_sort(std::size_t size, std::size_t features, RandomStream& random) {
  constexpr std::size_t few = 100;  // so few that all of them are soon drawn
  const std::size_t wanted = std::min(size, features <= few ? features : features / 2);
  std::map<FeatureId, float> row;
  while (row.size() < wanted) {
    const std::uint64_t below = 1 + random.below(features);
    row[static_cast<FeatureId>(random.below(below))] = static_cast<float>(random.uniform());
  }
  return row;
}

void check_sorted(RowSorter& sorter, const std::map<FeatureId, float>& row, RandomStream& random) {
  std::vector<std::pair<FeatureId, float>> shuffled(row.begin(), row.end());
  for (std::size_t n = shuffled.size(); n > 1; --n) std::swap(shuffled[n - 1], shuffled[random.below(n)]);
  std::vector<FeatureId> features;
  std::vector<float> values;
  for (const auto& [feature, value] : shuffled) {
    features.push_back(feature);
    values.push_back(value);
  }
  std::vector<FeatureId> sorted_features(row.size());
  std::vector<float> sorted_values(row.size());
  sorter.sort(features, values, sorted_features.data(), sorted_values.data());
  std::size_t n = 0;
  for (const auto& [feature, value] : row) {
    REQUIRE(sorted_features[n] == feature);
    REQUIRE(sorted_values[n] == value);
    ++n;
  }
}

TEST_CASE("rows of any length come out by feature, for any number of features") {
  RandomStream random(5, 0, RandomRole::pool);
  for (const std::size_t features : std::initializer_list<std::size_t>{1, 2, 40, 4'095, 4'096, 4'097, 70'000, 5'000'000}) {
    std::vector<std::int64_t> entries(features);
    for (std::size_t n = 0; n < features; ++n)
      entries[n] = random.coin(0.1) ? 0 : static_cast<std::int64_t>(random.below(1 + 1'000'000 / (n + 1)));
    const FeatureRanges ranges(entries);
    RowSorter sorter(ranges);
    for (const std::size_t size :
         std::initializer_list<std::size_t>{0, 1, 2, 3, 15, 16, 17, 18, 100, 255, 256, 1'000, 2'048, 2'049, 9'000}) {
      CAPTURE(features);
      CAPTURE(size);
      check_sorted(sorter, random_row_to_sort(size, features, random), random);
    }
  }
}

TEST_CASE("rows whose features are all of one range come out in order") {
  std::vector<std::int64_t> entries(5'000, 0);
  entries.back() = 1'000'000;
  const FeatureRanges ranges(entries);
  REQUIRE(ranges.range_of(4'998) == 0);
  RowSorter sorter(ranges);
  RandomStream random(6, 0, RandomRole::pool);
  for (const std::size_t size : std::initializer_list<std::size_t>{17, 255, 256, 2'048}) {
    CAPTURE(size);
    check_sorted(sorter, random_row_to_sort(size, 4'999, random), random);
  }
}

TEST_CASE("ranges ascend and hold about as many entries each") {
  std::vector<std::int64_t> entries(100'000, 1);
  entries[500] = 100'000;
  const FeatureRanges ranges(entries);
  CHECK(ranges.range_of(0) == 0);
  for (FeatureId feature = 1; feature < 100'000; ++feature) REQUIRE(ranges.range_of(feature - 1) <= ranges.range_of(feature));
  CHECK(ranges.range_of(99'999) >= FeatureRanges::count * 9 / 10);
  CHECK(ranges.range_of(1'000) >= FeatureRanges::count * 4 / 10);
}

TEST_CASE("no features, and features without entries, are no mistake") {
  const FeatureRanges none(std::vector<std::int64_t>{});
  RowSorter sorter(none);
  sorter.sort({}, {}, nullptr, nullptr);
  const FeatureRanges empty(std::vector<std::int64_t>{0, 0, 0});
  CHECK(empty.range_of(2) == 0);
}

}  // namespace
}  // namespace inkling
