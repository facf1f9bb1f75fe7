#include "engine/scoring/scan/entry_filter.hpp"

#include <vector>

#include <doctest/doctest.h>

#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::between;

constexpr std::array kMethods = {FilterMethod::plain, FilterMethod::avx2, FilterMethod::avx512};

/// The plain twin of every method: asks for each entry alone.
std::vector<std::uint16_t> plainly_passed(const FeatureBits& bits, std::span<const FeatureId> features, FilterMethod method) {
  // AVX2 asks the first table alone for whole words of 64 entries.
  const std::size_t by_one_table = method == FilterMethod::avx2 ? features.size() / 64 * 64 : 0;
  std::vector<std::uint16_t> entries;
  for (std::size_t n = 0; n < features.size(); ++n) {
    const bool passed = n < by_one_table ? FeatureBits::holds(bits.by_low_bits, static_cast<std::uint32_t>(features[n]))
                                         : bits.may_hold(features[n]);
    if (passed) entries.push_back(static_cast<std::uint16_t>(n));
  }
  return entries;
}

bool counts_fit(const PassedEntries& passed, std::span<const std::uint16_t> entries, std::size_t size) {
  std::size_t before = 0;
  for (std::size_t n = 0; n <= size; ++n) {
    while (before < entries.size() && entries[before] < n) ++before;
    if (passed.count_before(n) != before) return false;
  }
  return true;
}

TEST_CASE("every method passes what its tables hold") {
  test::each_case(201, 300, [&](RandomStream& random, std::uint64_t trial) {
    const std::int32_t most = trial % 2 == 0 ? 5000 : 2'147'483'647;
    std::vector<FeatureId> relevant(static_cast<std::size_t>(between(0, trial % 3 == 0 ? 2000 : 40, random)));
    for (FeatureId& feature : relevant) feature = between(0, most - 1, random);
    const FeatureBits bits(relevant);
    std::vector<FeatureId> features(static_cast<std::size_t>(between(0, static_cast<int>(PassedEntries::most_entries), random)));
    for (FeatureId& feature : features) {
      const bool known = !relevant.empty() && random.coin(0.2);
      feature = known ? relevant[random.below(relevant.size())] : between(0, most - 1, random);
    }
    const std::vector<float> values(features.size(), 1.0F);
    for (const FilterMethod method : kMethods) {
      if (!is_offered(method)) continue;
      CAPTURE(static_cast<int>(method));
      const std::vector<std::uint16_t> expected = plainly_passed(bits, features, method);
      PassedEntries passed;
      pass_entries(bits, {features, values}, method, passed);
      REQUIRE(std::vector(passed.entries.begin(), passed.entries.begin() + static_cast<int>(passed.count)) == expected);
      REQUIRE(counts_fit(passed, expected, features.size()));
    }
  });
}

TEST_CASE("an entry that is in the set is always passed") {
  for (const std::size_t count : {1U, 20U, 500U}) {
    RandomStream random = test::stream_for(202, count);
    std::vector<FeatureId> relevant(count);
    for (FeatureId& feature : relevant) feature = between(0, 1'000'000, random);
    const FeatureBits bits(relevant);
    for (const FeatureId feature : relevant) CHECK(bits.may_hold(feature));
  }
}

TEST_CASE("an empty set passes nothing") {
  const FeatureBits bits({});
  const std::vector<FeatureId> features = {0, 1, 31, 32, 1023, 1024, 4095, 2'147'483'647};
  const std::vector<float> values(features.size(), 1.0F);
  for (const FilterMethod method : kMethods) {
    if (!is_offered(method)) continue;
    PassedEntries passed;
    pass_entries(bits, {features, values}, method, passed);
    CHECK(passed.count == 0);
  }
}

}  // namespace
}  // namespace inkling
