#include "io/search/simulation/topic_words.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include "tests/support/engine/test_pool.hpp"

namespace inkling::bench {
namespace {

using inkling::test::pool_of;

/// Documents 0 and 1 are of topic 0, document 2 is empty and of none, document 3 is of topic 1.
const std::vector<std::int32_t> kTopics = {0, 0, -1, 1};

PoolMatrix pool_of_topics() { return pool_of(5, {{{0, 1.0F}, {1, 0.5F}}, {{1, 0.5F}, {2, 1.0F}}, {}, {{0, 1.0F}, {3, 2.0F}}}); }

/// Word 0 is in every document, word 1 in every other one of topic 0, word 2 in one of nine everywhere.
struct ManyDocuments {
  PoolMatrix pool;
  std::vector<std::int32_t> topics;
};

ManyDocuments documents_with_a_stop_word() {
  std::vector<inkling::test::RowOfEntries> rows;
  std::vector<std::int32_t> topics;
  for (int n = 0; n < 400; ++n) {
    const bool of_topic = n % 4 == 0;
    topics.push_back(of_topic ? 0 : 1);
    rows.push_back({{0, 9.0F}});
    if (of_topic && n % 8 == 0) rows.back().push_back({1, 0.1F});
    if (n % 9 == 0) rows.back().push_back({2, 1.0F});
  }
  return {pool_of(3, rows), std::move(topics)};
}

TEST_CASE("a weight is the log-odds with a prior divided by its standard error") {
  const PoolMatrix pool = pool_of_topics();
  const std::vector<double> weights = topic_weights(pool.view(), kTopics, 0);
  // Word 1 is in both documents of the topic and in none of the 2 others; the prior has it in 5 of 10.
  const double odds = std::log((2.0 + 5.0) / (0.0 + 5.0));
  const double other_odds = std::log((0.0 + 5.0) / (2.0 + 5.0));
  const double error = std::sqrt(1.0 / 7.0 + 1.0 / 5.0 + 1.0 / 5.0 + 1.0 / 7.0);
  CHECK(weights[1] == doctest::Approx((odds - other_odds) / error));
  CHECK(weights[0] == doctest::Approx(0.0));  // in one of two documents of the topic and of others
  CHECK(weights[3] == 0.0);                   // in no document of the topic
  CHECK(weights[4] == 0.0);                   // in no document at all
}

TEST_CASE("a word that is equally frequent everywhere has no weight however large its values") {
  const auto [pool, topics] = documents_with_a_stop_word();
  const std::vector<double> weights = topic_weights(pool.view(), topics, 0);
  CHECK(weights[0] == 0.0);
  CHECK(weights[1] > 3.0);
  CHECK(std::fabs(weights[2]) < 0.5);
  CHECK(telling_words(pool.view(), topics, 0, 1) == std::vector<FeatureId>{1});
}

TEST_CASE("the words of a topic are those of largest positive weight within the band of frequency") {
  const PoolMatrix pool = pool_of_topics();
  CHECK(topic_words(pool.view(), kTopics, 7, 5, {}).empty());
  CHECK(topic_words(pool.view(), std::vector<std::int32_t>(4, 2), 2, 5, {}).empty());

  CHECK(telling_words(pool.view(), kTopics, 0, 5) == std::vector<FeatureId>{1, 2});
  CHECK(topic_words(pool.view(), kTopics, 0, 1, {}) == std::vector<FeatureId>{1});
  CHECK(telling_words(pool.view(), kTopics, 1, 5) == std::vector<FeatureId>{3, 0});
  CHECK(topic_words(pool.view(), kTopics, 1, 5, {}) == std::vector<FeatureId>{0, 3});
  const PoolMatrix equal = pool_of(4, {{{1, 1.0F}, {3, 1.0F}}, {{0, 1.0F}}});
  CHECK(telling_words(equal.view(), std::vector<std::int32_t>{0, 1}, 0, 1) == std::vector<FeatureId>{1});

  CHECK(topic_words(pool.view(), kTopics, 1, 5, {0.5, 1.0}) == std::vector<FeatureId>{0});
}

}  // namespace
}  // namespace inkling::bench
