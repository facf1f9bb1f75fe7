#include "io/corpus/pool/write/grouped_entries.hpp"

#include <algorithm>
#include <stdexcept>

#include <doctest/doctest.h>

#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/with_threads.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

bool same(const GroupedEntry& one, const GroupedEntry& other) {
  return one.key == other.key && one.member == other.member && one.value == other.value;
}

std::vector<std::int64_t> counts_of(const std::vector<GroupedEntry>& entries, std::size_t keys) {
  std::vector<std::int64_t> counts(keys, 0);
  for (const GroupedEntry& entry : entries) ++counts[static_cast<std::size_t>(entry.key)];
  return counts;
}

// The entries of all groups, in order.
std::vector<GroupedEntry> taken(GroupedEntries& grouped) {
  std::vector<GroupedEntry> out;
  grouped.take([&](const EntryGroups& groups) {
    std::size_t at = 0;
    for (std::size_t key = 0; key < groups.sizes.size(); ++key)
      for (std::int64_t n = 0; n < groups.sizes[key]; ++n, ++at)
        out.push_back({groups.first_key + static_cast<std::int32_t>(key), groups.members[at], groups.values[at]});
    CHECK(at == groups.members.size());
    CHECK(at == groups.values.size());
  });
  return out;
}

std::vector<GroupedEntry> random_entries(std::int32_t keys, std::size_t count, RandomStream& random) {
  std::vector<GroupedEntry> entries;
  for (std::size_t n = 0; n < count; ++n) {
    // Half of all entries have one key, which then does not fit in a part.
    const bool common = random.coin(0.5);
    const std::int32_t key = common ? keys / 2 : test::between(0, keys - 1, random);
    entries.push_back({key, static_cast<std::int32_t>(n), static_cast<float>(random.uniform())});
  }
  return entries;
}

TEST_CASE_FIXTURE(test::InFolder, "entries in any order are grouped by key in order of arrival with any memory and threads") {
  constexpr std::uint64_t seed = 7;
  const PoolStaging staging(folder.file("P"));
  test::each_case(seed, 12, [&](RandomStream& random, std::uint64_t trial) {
    const std::int32_t keys = test::between(1, 400, random);
    const std::vector<GroupedEntry> entries = random_entries(keys, random.below(20'000), random);
    std::vector<GroupedEntry> expected = entries;
    std::ranges::stable_sort(expected, {}, &GroupedEntry::key);
    for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1} << 15U, std::uint64_t{1} << 30U}) {
      for (const int threads : {1, 8}) {
        INFO("seed " << seed << " trial " << trial << " memory " << memory << " threads " << threads);
        GroupedEntries grouped(staging, counts_of(entries, static_cast<std::size_t>(keys)), memory);
        const std::size_t half = entries.size() / 2;
        grouped.append(std::span(entries).first(half));
        grouped.append(std::span(entries).subspan(half));
        CHECK(std::ranges::equal(test::with_threads(threads, [&] { return taken(grouped); }), expected, same));
      }
    }
  });
}

TEST_CASE_FIXTURE(test::InFolder, "a first member is added to each") {
  const PoolStaging staging(folder.file("P"));
  GroupedEntries grouped(staging, {1, 0, 2}, 1 << 20U);
  grouped.append(std::vector<GroupedEntry>{{2, 5, 1.0F}, {0, 0, 2.0F}}, 100);
  grouped.append(std::vector<GroupedEntry>{{2, 1, 3.0F}}, 200);
  const std::vector<GroupedEntry> expected = {{0, 100, 2.0F}, {2, 105, 1.0F}, {2, 201, 3.0F}};
  CHECK(std::ranges::equal(taken(grouped), expected, same));
}

TEST_CASE_FIXTURE(test::InFolder,
                  "more keys than a part can tell apart are grouped, none give nothing, and others than counted are refused") {
  const PoolStaging staging(folder.file("P"));
  std::vector<std::int64_t> counts(200'001, 0);
  const std::vector<GroupedEntry> entries = {{200'000, 1, 1.0F}, {65'535, 2, 1.0F}, {65'536, 3, 1.0F}, {0, 4, 1.0F}};
  for (const GroupedEntry& entry : entries) counts[static_cast<std::size_t>(entry.key)] = 1;
  GroupedEntries grouped(staging, counts, 1 << 20U);
  grouped.append(entries);
  const std::vector<GroupedEntry> expected = {{0, 4, 1.0F}, {65'535, 2, 1.0F}, {65'536, 3, 1.0F}, {200'000, 1, 1.0F}};
  CHECK(std::ranges::equal(taken(grouped), expected, same));

  GroupedEntries none(staging, {}, 0);
  CHECK(taken(none).empty());
  GroupedEntries empty(staging, {0, 0}, 0);
  CHECK(taken(empty).empty());

  const auto group = [&](const std::vector<GroupedEntry>& some) {
    GroupedEntries other(staging, {1, 2}, 1 << 20U);
    other.append(some);
    static_cast<void>(taken(other));
  };
  CHECK_NOTHROW(group({{1, 0, 1.0F}, {0, 0, 1.0F}, {1, 0, 1.0F}}));
  CHECK_THROWS_AS(group({{1, 0, 1.0F}, {0, 0, 1.0F}}), std::logic_error);
  CHECK_THROWS_AS(group({{0, 0, 1.0F}, {0, 0, 1.0F}, {1, 0, 1.0F}}), std::logic_error);
  CHECK_THROWS_AS(group({{1, 0, 1.0F}, {1, 0, 1.0F}, {1, 0, 1.0F}}), std::logic_error);
  CHECK_THROWS_AS(group({{2, 0, 1.0F}}), std::logic_error);
  CHECK_THROWS_AS(group({{-1, 0, 1.0F}}), std::logic_error);
}

}  // namespace
}  // namespace inkling
