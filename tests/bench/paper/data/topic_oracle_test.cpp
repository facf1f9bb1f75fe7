#include "bench/paper/data/topic_oracle.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/bench/paper/data/topical_rows.hpp"

namespace inkling::bench {
namespace {

const std::vector<std::string> kTopics = {"autos", "med", "space"};

TopicOracle oracle_of(const test::TopicalRows& data, const OracleSize& size) {
  return find_topic_oracle(data.rows.view(), data.labels, kTopics, size, [] {});
}

TEST_CASE("topics have supports of similar sizes whose union has nearly the wanted size") {
  const test::TopicalRows data = test::topical_rows(3, 15, 20, 150);
  for (const std::size_t wanted : {12U, 25U, 40U}) {
    CAPTURE(wanted);
    const TopicOracle oracle = oracle_of(data, {{3, 30}, wanted});
    std::set<FeatureId> all;
    for (const std::vector<FeatureId>& words : oracle.words) {
      CHECK(words.size() >= 3);
      CHECK(words.size() <= 30);
      CHECK(std::ranges::is_sorted(words));
      all.insert(words.begin(), words.end());
    }
    CHECK(oracle.words_of_all == std::vector<FeatureId>(all.begin(), all.end()));
    CHECK(all.size() + 2 >= wanted);
    CHECK(all.size() <= wanted + 2);
  }
}

TEST_CASE("the words of a topic are mostly its own") {
  const TopicOracle oracle = oracle_of(test::topical_rows(3, 15, 20, 150), {{5, 10}, 20});
  for (std::size_t topic = 0; topic < kTopics.size(); ++topic) {
    const auto own =
        std::ranges::count_if(oracle.words[topic], [&](FeatureId word) { return static_cast<std::size_t>(word) / 15 == topic; });
    CHECK(own >= 4);
  }
}

TEST_CASE("if the union cannot have the wanted size the supports stay within their range") {
  const test::TopicalRows data = test::topical_rows(3, 15, 20, 150);
  const TopicOracle small = oracle_of(data, {{8, 12}, 1});
  const TopicOracle large = oracle_of(data, {{8, 12}, 1000});
  CHECK(small.words_of_all.size() < large.words_of_all.size());
  for (const TopicOracle* oracle : {&small, &large})
    for (const std::vector<FeatureId>& words : oracle->words) CHECK((words.size() >= 8 && words.size() <= 12));
}

TEST_CASE("the facts name every topic with its numbers and how many features there are together") {
  const TopicOracle oracle = oracle_of(test::topical_rows(3, 15, 20, 150), {{5, 10}, 20});
  for (std::size_t topic = 0; topic < kTopics.size(); ++topic) {
    const std::string expected = kTopics[topic] + " " + std::to_string(oracle.words[topic].size()) + " features";
    CHECK(oracle.facts.find(expected) != std::string::npos);
  }
  const std::string together = "Together " + std::to_string(oracle.words_of_all.size()) + " features.";
  CHECK(oracle.facts.ends_with(together));
}

TEST_CASE("a topic that cannot have so many features is refused by name") {
  const test::TopicalRows data = test::topical_rows(3, 2, 1, 60);
  CHECK_THROWS_WITH_AS(static_cast<void>(oracle_of(data, {{30, 100}, 153})),
                       "autos: expected a topic that an L1 logistic regression tells from the others by 30 to 100 "
                       "features, found none near 51",
                       FormatError);
}

TEST_CASE("a search ends where it is interrupted") {
  const test::TopicalRows data = test::topical_rows(3, 15, 20, 150);
  int asked = 0;
  const auto stop = [&asked] {
    if (++asked == 4) throw std::runtime_error("stop");
  };
  CHECK_THROWS_WITH(static_cast<void>(find_topic_oracle(data.rows.view(), data.labels, kTopics, {}, stop)), "stop");
}

}  // namespace
}  // namespace inkling::bench
