// The memory of a policy that keeps no scores depends on its events, not on the size of the pool.
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#if __has_include(<malloc.h>)
#  include <malloc.h>
#endif

#include "engine/policy/policy_state.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

/// The bytes that C++ and libraries in C have allocated and not freed.
double allocated() {
#ifdef __GLIBC__
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
#else
  return 0.0;  // nobody counts: the same as under sanitizers
#endif
}

/// False under sanitizers, whose allocators do not count.
bool allocations_are_counted() {
  const double before = allocated();
  const std::vector<char> block(1 << 20);
  return allocated() - before >= static_cast<double>(block.size());
}

constexpr std::int32_t kMemoryFeatures = 1000;

/// The two words of document i depend on i alone, so a larger pool begins with the documents of a smaller one.
PoolMatrix memory_pool(std::int32_t documents) {
  std::vector<std::int64_t> offsets = {0};
  std::vector<FeatureId> features;
  offsets.reserve(static_cast<std::size_t>(documents) + 1);
  features.reserve(2 * static_cast<std::size_t>(documents));
  for (std::int32_t i = 0; i < documents; ++i) {
    features.push_back(i % 499);
    features.push_back(499 + i % 501);
    offsets.push_back(static_cast<std::int64_t>(features.size()));
  }
  std::vector<float> values(features.size(), 0.7F);
  return PoolMatrix(CsrMatrix(kMemoryFeatures, std::move(offsets), std::move(features), std::move(values)));
}

/// The bytes of a policy after events of a hundred of the first documents, and for ff-oful after a ranking.
double bytes_of_taught(const std::string& preset, PoolView pool) {
  const PolicyOptions options{.expected_rounds = 100, .with_replacement = false};
  constexpr int policies = 2;
  std::vector<std::unique_ptr<Policy>> taught;
  taught.reserve(policies);
  double before = 0.0;
  for (int number = 0; number <= policies; ++number) {
    if (number == 1) before = allocated();  // all that is allocated only once is allocated by now
    taught.push_back(std::make_unique<Policy>(pool, preset, options));
    Policy& policy = *taught.back();
    policy.keep_scores(false);
    for (DocumentId document = 0; document < 100; ++document) {
      policy.pass_round();
      std::vector<FeatureId> marks;
      if (document % 3 == 0) marks = {pool.by_document.row(document).features[1]};
      policy.observe(document, std::sin(document), marks);
    }
    if (preset == "ff-oful") REQUIRE(policy.ranking(1).size() == 1);  // the others look at every row for seconds
  }
  return (allocated() - before) / policies;
}

TEST_CASE("the memory of a policy without scores does not grow with the pool") {
  if (!allocations_are_counted()) {
    MESSAGE("skipped: this allocator does not count allocated bytes");
    return;
  }
  const PoolMatrix small = memory_pool(10'000);
  const PoolMatrix large = memory_pool(1'000'000);
  for (const char* const preset : {"ff-oful", "soft-marks"}) {
    CAPTURE(preset);
    const double few = bytes_of_taught(preset, small.view());
    const double many = bytes_of_taught(preset, large.view());
    MESSAGE(preset << ": " << few << " and " << many << " bytes");
    CHECK(few > 1e4);
    CHECK(many < 1.1 * few);
    CHECK(many > 0.9 * few);
    CHECK(few < 3e5);
  }
}

}  // namespace
}  // namespace inkling
