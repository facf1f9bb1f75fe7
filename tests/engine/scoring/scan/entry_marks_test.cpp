#include "engine/scoring/scan/entry_marks.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/test_pool.hpp"

namespace inkling {
namespace {

using test::between;

constexpr std::array kMethods = {MarkingMethod::plain, MarkingMethod::avx2, MarkingMethod::avx512};

/// What any method has to give: each entry asked by itself.
std::vector<std::uint16_t> plainly_marked(const FeatureMarks& marks, std::span<const FeatureId> features,
                                          MarkingMethod method) {
  // AVX2 works on whole words of 64 entries by the first table alone.
  const std::size_t by_one_table = method == MarkingMethod::avx2 ? features.size() / 64 * 64 : 0;
  std::vector<std::uint16_t> entries;
  for (std::size_t n = 0; n < features.size(); ++n) {
    const bool marked = n < by_one_table
                            ? FeatureMarks::holds(marks.by_low_bits, static_cast<std::uint32_t>(features[n]))
                            : marks.may_hold(features[n]);
    if (marked) entries.push_back(static_cast<std::uint16_t>(n));
  }
  return entries;
}

bool counts_fit(const MarkedEntries& marked, std::span<const std::uint16_t> entries, std::size_t size) {
  std::size_t before = 0;
  for (std::size_t n = 0; n <= size; ++n) {
    while (before < entries.size() && entries[before] < n) ++before;
    if (marked.count_before(n) != before) return false;
  }
  return true;
}

TEST_CASE("every method marks what its tables hold") {
  constexpr std::uint64_t seed = 201;
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    CAPTURE(seed);
    CAPTURE(trial);
    RandomStream random = test::stream_for(seed, trial);
    const std::int32_t most = trial % 2 == 0 ? 5000 : 2'147'483'647;
    std::vector<FeatureId> relevant(static_cast<std::size_t>(between(0, trial % 3 == 0 ? 2000 : 40, random)));
    for (FeatureId& feature : relevant) feature = between(0, most - 1, random);
    const FeatureMarks marks(relevant);
    std::vector<FeatureId> features(
        static_cast<std::size_t>(between(0, static_cast<int>(MarkedEntries::most_entries), random)));
    for (FeatureId& feature : features) {
      const bool known = !relevant.empty() && random.coin(0.2);
      feature = known ? relevant[random.below(relevant.size())] : between(0, most - 1, random);
    }
    const std::vector<float> values(features.size(), 1.0F);
    for (const MarkingMethod method : kMethods) {
      if (!is_offered(method)) continue;
      CAPTURE(static_cast<int>(method));
      const std::vector<std::uint16_t> expected = plainly_marked(marks, features, method);
      MarkedEntries marked;
      mark_entries(marks, {features, values}, method, marked);
      REQUIRE(std::vector(marked.entries.begin(), marked.entries.begin() + static_cast<int>(marked.count)) ==
              expected);
      REQUIRE(counts_fit(marked, expected, features.size()));
    }
  }
}

TEST_CASE("an entry that is in the set is always marked") {
  for (const std::size_t count : {1U, 20U, 500U}) {
    RandomStream random = test::stream_for(202, count);
    std::vector<FeatureId> relevant(count);
    for (FeatureId& feature : relevant) feature = between(0, 1'000'000, random);
    const FeatureMarks marks(relevant);
    for (const FeatureId feature : relevant) CHECK(marks.may_hold(feature));
  }
}

TEST_CASE("a set of nothing marks nothing") {
  const FeatureMarks marks({});
  const std::vector<FeatureId> features = {0, 1, 31, 32, 1023, 1024, 4095, 2'147'483'647};
  const std::vector<float> values(features.size(), 1.0F);
  for (const MarkingMethod method : kMethods) {
    if (!is_offered(method)) continue;
    MarkedEntries marked;
    mark_entries(marks, {features, values}, method, marked);
    CHECK(marked.count == 0);
  }
}

}  // namespace
}  // namespace inkling
