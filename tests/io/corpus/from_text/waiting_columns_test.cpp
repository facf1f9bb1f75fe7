#include "io/corpus/from_text/waiting_columns.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/with_threads.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

struct CountedEntry {
  FeatureId feature;
  std::uint32_t count;
};

struct ColumnEntry {
  FeatureId feature;
  std::int32_t row;
  float value;
  bool operator==(const ColumnEntry&) const = default;
};

struct CountedRows {
  TextRecipe recipe;
  std::vector<double> idf;
  std::vector<std::vector<CountedEntry>> rows;
  std::vector<double> norms;

  [[nodiscard]] std::vector<std::int64_t> feature_counts() const {
    std::vector<std::int64_t> counts(idf.size());
    for (const auto& row : rows)
      for (const CountedEntry& entry : row) ++counts[static_cast<std::size_t>(entry.feature)];
    return counts;
  }

  // The plain twin.
  [[nodiscard]] std::vector<ColumnEntry> columns() const {
    std::vector<ColumnEntry> entries;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (const CountedEntry& entry : rows[row]) {
        const double weighed = term_weight(recipe.weight, entry.count) * idf[static_cast<std::size_t>(entry.feature)];
        entries.push_back({entry.feature, static_cast<std::int32_t>(row), static_cast<float>(weighed / norms[row])});
      }
    }
    std::ranges::stable_sort(entries, {}, &ColumnEntry::feature);
    return entries;
  }
};

std::uint32_t random_count(RandomStream& random) {
  constexpr std::uint32_t follows = WaitingEntry::count_follows;
  if (random.coin(0.7)) return 1;
  if (random.coin(0.1)) return 4'000'000'000U;
  return static_cast<std::uint32_t>(random.coin(0.5) ? 1 + random.below(10) : follows - 2 + random.below(5));
}

CountedRows random_counted_rows(RandomStream& random) {
  CountedRows counted;
  counted.recipe.weight = kTermWeightNames[random.below(3)].value;
  const std::size_t features = random.coin(0.3) ? 20'000 + random.below(20'000) : 1 + random.below(300);
  for (std::size_t n = 0; n < features; ++n) counted.idf.push_back(0.5 + random.uniform());
  // Sometimes more rows than a group has. Half of them hold one feature, which then does not fit in a part.
  const std::size_t rows = random.coin(0.5) ? random.below(40'000) : random.below(300);
  for (std::size_t row = 0; row < rows; ++row) {
    counted.rows.emplace_back();
    counted.norms.push_back(0.5 + random.uniform());
    const auto common = static_cast<FeatureId>(features / 2);
    if (random.coin(0.5)) counted.rows.back().push_back({common, random_count(random)});
    for (std::uint64_t n = random.below(rows > 1'000 ? 3 : 20); n > 0; --n) {
      const auto feature = static_cast<FeatureId>(random.below(features));
      const bool held = feature == common ||
                        std::ranges::find(counted.rows.back(), feature, &CountedEntry::feature) != counted.rows.back().end();
      if (!held) counted.rows.back().push_back({feature, random_count(random)});
    }
  }
  return counted;
}

void append_in_blocks(const CountedRows& counted, std::size_t block_rows, WaitingColumns& columns) {
  const std::vector<ColumnPlace> places = columns.places();
  ColumnsOfBlock block;
  for (std::size_t first = 0; first < counted.rows.size(); first += block_rows) {
    block.begin(static_cast<std::int64_t>(first), columns.parts());
    for (std::size_t row = first; row < std::min(first + block_rows, counted.rows.size()); ++row) {
      std::vector<ColumnPlace> places_of_row;
      std::vector<std::uint32_t> counts;
      for (const CountedEntry& entry : counted.rows[row]) {
        places_of_row.push_back(places[static_cast<std::size_t>(entry.feature)]);
        counts.push_back(entry.count);
      }
      block.append(places_of_row, counts, counted.norms[row]);
    }
    columns.append(block);
  }
}

std::vector<ColumnEntry> entries_taken(WaitingColumns& columns) {
  std::vector<ColumnEntry> out;
  columns.take([&](const EntryGroups& groups) {
    std::size_t at = 0;
    for (std::size_t key = 0; key < groups.sizes.size(); ++key)
      for (std::int64_t n = 0; n < groups.sizes[key]; ++n, ++at)
        out.push_back({groups.first_key + static_cast<std::int32_t>(key), groups.members[at], groups.values[at]});
    CHECK(at == groups.members.size());
    CHECK(at == groups.values.size());
  });
  return out;
}

TEST_CASE_FIXTURE(test::InFolder, "rows of counts become columns of weights with any memory and threads and blocks") {
  constexpr std::uint64_t seed = 17;
  const PoolStaging staging(folder.file("P"));
  test::each_case(seed, 16, [&](RandomStream& random, std::uint64_t trial) {
    const CountedRows counted = random_counted_rows(random);
    const std::vector<ColumnEntry> expected = counted.columns();
    for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1} << 16U, std::uint64_t{1} << 30U}) {
      for (const int threads : {1, 8}) {
        INFO("seed " << seed << " trial " << trial << " memory " << memory << " threads " << threads);
        WaitingColumns columns(staging, counted.recipe, counted.feature_counts(), counted.idf, memory);
        append_in_blocks(counted, 1 + random.below(20'000), columns);
        const bool same = test::with_threads(threads, [&] { return entries_taken(columns); }) == expected;
        CHECK(same);
      }
    }
  });
}

TEST_CASE_FIXTURE(test::InFolder, "no features, and features without entries, give no columns") {
  const PoolStaging staging(folder.file("P"));
  WaitingColumns none(staging, {}, {}, {}, 0);
  CHECK(none.parts() == 0);
  CHECK(entries_taken(none).empty());
  WaitingColumns empty(staging, {}, {0, 0}, {1.0, 1.0}, 0);
  CHECK(entries_taken(empty).empty());
}

TEST_CASE_FIXTURE(test::InFolder, "entries that were not counted are refused as a mistake of the caller") {
  const PoolStaging staging(folder.file("P"));
  CountedRows counted;
  counted.idf = {1.0, 1.0};
  counted.rows = {{{0, 1}, {1, 1}}, {{1, 1}}};
  counted.norms = {1.0, 1.0};
  const auto refused = [&](std::vector<std::int64_t> counts) {
    WaitingColumns columns(staging, {}, std::move(counts), counted.idf, 1 << 20U);
    append_in_blocks(counted, 10, columns);
    CHECK_THROWS_AS(static_cast<void>(entries_taken(columns)), std::logic_error);
  };
  refused({2, 2});
  refused({1, 1});
  refused({2, 1});
}

}  // namespace
}  // namespace inkling
