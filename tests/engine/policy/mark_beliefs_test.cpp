#include "engine/policy/mark_beliefs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/reference_beliefs.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::between;

constexpr ConfidenceOptions kAssumed = {.noise = 0.5, .norm_bound = 2.0, .delta = 0.1};

/// Shows a document of these words this many times, and returns the last changes.
std::vector<FeatureId> show(MarkBeliefs& beliefs, const std::vector<FeatureId>& words, int times = 1,
                            const std::vector<SaidWord>& marks = {}) {
  const std::vector<float> values(words.size(), 1.0F);
  std::vector<FeatureId> changed;
  for (int n = 0; n < times; ++n) {
    const auto now = beliefs.observe_marks({words, values}, marks);
    changed.assign(now.begin(), now.end());
  }
  return changed;
}

TEST_CASE("a word that was never shown has its share of the norm bound") {
  const MarkBeliefs beliefs(8, kAssumed, {});
  CHECK(beliefs.first_precision() == 0.5);  // 0.25 * 8 / 4
  CHECK(beliefs.precision(3) == 0.5);
  CHECK(beliefs.mark_probability() == 0.0);
}

TEST_CASE("silence says nothing before anything is marked") {
  MarkBeliefs beliefs(8, kAssumed, {});
  CHECK(show(beliefs, {0, 1}, 1000).empty());
  CHECK(beliefs.precision(0) == 0.5);
}

TEST_CASE("marked words share the norm bound and silent ones fade in steps of four") {
  MarkBeliefs beliefs(8, kAssumed, {.mark_probability = 0.75});  // (1 - p) is a quarter: a step a showing
  show(beliefs, {0, 1}, 1, {{0}});
  CHECK(beliefs.precision(0) == 0.0625);  // 0.25 * 1 / 4
  CHECK(beliefs.precision(1) == 2.0);     // 0.5 * 4
  CHECK(beliefs.precision(2) == 0.5);
  show(beliefs, {1, 2}, 1, {{2}});
  CHECK(beliefs.precision(0) == 0.125);  // two of them now
  CHECK(beliefs.precision(1) == 8.0);
  show(beliefs, {1}, 20);
  CHECK(beliefs.precision(1) == 32.0);  // 64 times and no more
}

TEST_CASE("the features returned as changed are those whose precision changed") {
  MarkBeliefs beliefs(8, kAssumed, {.mark_probability = 0.75});
  CHECK(show(beliefs, {0, 1}, 1, {{0}}) == std::vector<FeatureId>{0, 1});
  CHECK(show(beliefs, {5}) == std::vector<FeatureId>{5});
  CHECK(show(beliefs, {0}).empty());
  CHECK(show(beliefs, {1}, 2) == std::vector<FeatureId>{1});
  CHECK(show(beliefs, {1}).empty());
}

TEST_CASE("the probability of a mark is learned from words that are marked again") {
  MarkBeliefs beliefs(8, kAssumed, {});
  show(beliefs, {0}, 1, {{0}});
  CHECK(beliefs.mark_probability() == doctest::Approx(0.05));
  show(beliefs, {0}, 90);
  CHECK(beliefs.mark_probability() == doctest::Approx(0.005));
  show(beliefs, {0}, 100, {{0}});
  CHECK(beliefs.mark_probability() == doctest::Approx(100.5 / 200.0));
}

TEST_CASE("a mark of low confidence changes little and marks add up") {
  MarkBeliefs sure(8, kAssumed, {});
  MarkBeliefs unsure(8, kAssumed, {});
  show(sure, {0}, 1, {{.feature = 0, .confidence = 1.0}});
  show(unsure, {0}, 1, {{.feature = 0, .confidence = 0.25}});
  CHECK(sure.precision(0) < unsure.precision(0));
  CHECK(unsure.precision(0) < unsure.precision(1));
  CHECK(1.0 / unsure.precision(0) == doctest::Approx(0.25 * 16.0 + 0.75 * 2.0));
  show(unsure, {0}, 1, {{.feature = 0, .confidence = 0.25}});
  CHECK(1.0 / unsure.precision(0) == doctest::Approx(0.4375 * 16.0 + 0.5625 * 2.0));
  CHECK(unsure.marked() == doctest::Approx(0.4375));
}

TEST_CASE("precisions are finite also without noise and with a norm bound of zero") {
  for (const ConfidenceOptions& assumed :
       {ConfidenceOptions{0.0, 1.0, 0.1}, ConfidenceOptions{0.5, 0.0, 0.1}, ConfidenceOptions{0.0, 0.0, 0.1}}) {
    MarkBeliefs beliefs(40, assumed, {});
    show(beliefs, {0, 1, 2}, 300, {{1}});
    for (FeatureId feature = 0; feature < 4; ++feature) {
      CHECK(beliefs.precision(feature) > 0.0);
      CHECK(std::isfinite(beliefs.precision(feature)));
    }
  }
}

TEST_CASE("beliefs equal their plain twin through random showings and marks") {
  constexpr std::uint64_t seed = 621;
  test::each_case(seed, test::cases(400U), [&](RandomStream& random, std::uint64_t trial) {
    const std::int32_t features = between(1, 12, random);
    SoftMarksOptions options;
    if (random.coin(0.2)) options.mark_probability = random.uniform();
    if (random.coin(0.2)) options.marked_precision = 0.1 + random.uniform();
    if (random.coin(0.2)) options.unmarked_precision = 0.1 + 10.0 * random.uniform();
    MarkBeliefs beliefs(features, kAssumed, options);
    test::ReferenceBeliefs twin(features, kAssumed, options);
    std::vector<double> returned(static_cast<std::size_t>(features), beliefs.first_precision());
    for (int round = 0; round < 60; ++round) {
      INFO("seed " << seed << " trial " << trial << " round " << round);
      std::vector<FeatureId> words;
      std::vector<SaidWord> marks;
      for (FeatureId feature = 0; feature < features; ++feature) {
        if (random.coin(0.4)) words.push_back(feature);
        const bool marked = random.coin(words.empty() || words.back() != feature ? 0.01 : 0.1);
        if (marked) marks.push_back({.feature = feature, .confidence = random.coin(0.5) ? 1.0 : 0.1 + 0.8 * random.uniform()});
      }
      if (!marks.empty() && random.coin(0.1)) marks.push_back(marks.front());
      const std::vector<float> values(words.size(), 1.0F);
      twin.observe_marks({words, values}, marks);
      const std::span<const FeatureId> changed = beliefs.observe_marks({words, values}, marks);
      REQUIRE(std::ranges::is_sorted(changed));
      REQUIRE(beliefs.mark_probability() == doctest::Approx(twin.mark_probability()).epsilon(1e-12));
      for (const FeatureId feature : changed) {
        double& last = returned[static_cast<std::size_t>(feature)];
        REQUIRE(last != beliefs.precision(feature));
        last = beliefs.precision(feature);
      }
      for (FeatureId feature = 0; feature < features; ++feature) {
        REQUIRE(beliefs.precision(feature) == doctest::Approx(twin.precision(feature)).epsilon(1e-12));
        REQUIRE(returned[static_cast<std::size_t>(feature)] == beliefs.precision(feature));
      }
    }
  });
}

}  // namespace
}  // namespace inkling
