#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "bench/worlds/world.hpp"
#include "tests/support/test_pool.hpp"

namespace inkling::bench {
namespace {

using inkling::test::pool_of;

/// Documents 0 and 1 are of topic 0, document 2 is empty and of none, document 3 is of topic 1.
const std::vector<std::int32_t> kTopics = {0, 0, -1, 1};

PoolMatrix small_pool() {
  return pool_of(5, {{{0, 1.0F}, {1, 0.5F}}, {{1, 0.5F}, {2, 1.0F}}, {}, {{0, 1.0F}, {3, 2.0F}}});
}

TEST_CASE("a weight is the mean in the topic less the mean in all others") {
  const PoolMatrix pool = small_pool();
  CHECK(topic_weights(pool.view(), kTopics, 0) == std::vector<double>{0.0, 0.5, 0.5, -1.0, 0.0});
  CHECK(topic_weights(pool.view(), kTopics, 1) ==
        std::vector<double>{1.0 - 1.0 / 3.0, -1.0 / 3.0, -1.0 / 3.0, 2.0, 0.0});
}

TEST_CASE("a topic of no document and one of all documents have weights all the same") {
  const PoolMatrix pool = small_pool();
  CHECK(topic_weights(pool.view(), kTopics, 7) == std::vector<double>{-0.5, -0.25, -0.25, -0.5, 0.0});
  CHECK(topic_weights(pool.view(), std::vector<std::int32_t>(4, 2), 2) ==
        std::vector<double>{0.5, 0.25, 0.25, 0.5, 0.0});
}

TEST_CASE("the words of a topic are those of largest positive weight and ties go to the lower feature") {
  const PoolMatrix pool = small_pool();
  CHECK(topic_words(pool.view(), kTopics, 0, 1, {}) == std::vector<FeatureId>{1});
  CHECK(topic_words(pool.view(), kTopics, 0, 2, {}) == std::vector<FeatureId>{1, 2});
  CHECK(topic_words(pool.view(), kTopics, 0, 5, {}) ==
        std::vector<FeatureId>{1, 2});  // no others are positive
  CHECK(topic_words(pool.view(), kTopics, 1, 1, {}) == std::vector<FeatureId>{3});
  CHECK(topic_words(pool.view(), kTopics, 7, 5, {}).empty());
}

TEST_CASE("only words within the band of frequency speak for a topic") {
  const PoolMatrix pool = small_pool();
  CHECK(topic_words(pool.view(), kTopics, 1, 5, {0.0, 1.0}) == std::vector<FeatureId>{0, 3});
  CHECK(topic_words(pool.view(), kTopics, 1, 5, {0.5, 1.0}) == std::vector<FeatureId>{0});
}

}  // namespace
}  // namespace inkling::bench
