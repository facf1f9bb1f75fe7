#include "io/search/simulation/world.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/bench/worlds/rated_pools.hpp"
#include "tests/bench/worlds/worlds.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling::bench {
namespace {

using test::small_world;

std::vector<double> frequencies_of_marks(const World& world, DocumentId document, int draws) {
  std::vector<double> share(static_cast<std::size_t>(world.pool.features()), 0.0);
  RandomStream random(2, 0, RandomRole::marks);
  std::vector<FeatureId> marks;
  for (int n = 0; n < draws; ++n) {
    world.marks.draw(document, world.pool.by_document.row(document), random, marks);
    for (const FeatureId feature : marks) share[static_cast<std::size_t>(feature)] += 1.0 / draws;
  }
  return share;
}

TEST_CASE("an oracle marks the relevant words that a document holds and no others") {
  const World world = make_synthetic_world(small_world(), 1, 0);
  for (DocumentId i = 0; i < 20; ++i) {
    const std::vector<double> share = frequencies_of_marks(world, i, 2000);
    const SparseRow row = world.pool.by_document.row(i);
    for (FeatureId j = 0; j < world.pool.features(); ++j) {
      const bool present = std::ranges::binary_search(row.features, j);
      const bool relevant = std::ranges::binary_search(world.relevant, j);
      CHECK(std::fabs(share[static_cast<std::size_t>(j)] - (present && relevant ? 0.5 : 0.0)) < 0.06);
    }
  }
}

TEST_CASE("noisy marks add a fixed number of irrelevant words") {
  WorldOptions options = small_world();
  options.feedback = FeedbackKind::noisy;
  options.irrelevant_marks = 4;
  const World world = make_synthetic_world(options, 1, 0);
  CHECK(world.relevant.size() == 3);
  CHECK(world.marks.markable().size() == 7);
  CHECK(std::ranges::includes(world.marks.markable(), world.relevant));
}

TEST_CASE("without feedback nothing is ever marked") {
  WorldOptions options = small_world();
  options.feedback = FeedbackKind::none;
  CHECK(frequencies_of_marks(make_synthetic_world(options, 1, 0), 0, 100) == std::vector<double>(12, 0.0));
}

TEST_CASE("with a document reward the truth is a document and its words are the relevant ones") {
  WorldOptions options = small_world();
  options.reward = RewardKind::document;
  options.norm_bound = 2.0;
  const World world = make_synthetic_world(options, 1, 0);
  const double best = *std::ranges::max_element(world.rewards.expected());
  CHECK(best == doctest::Approx(2.0).epsilon(1e-6));  // the document itself: norm 1 times norm 2
  CHECK(!world.relevant.empty());
}

/// 8 documents of topics 0 and 1 in turn, of one word each; the last one is empty.
PoolMatrix pool_with_topics() {
  return inkling::test::pool_of(4,
                                {{{0, 1.0F}}, {{1, 1.0F}}, {{0, 1.0F}}, {{1, 1.0F}}, {{2, 1.0F}}, {{3, 1.0F}}, {{2, 1.0F}}, {}});
}
const std::vector<std::int32_t> kTopicsInTurn = {0, 1, 0, 1, 0, 1, 0, 1};

WorldOptions topic_options() {
  WorldOptions options;
  options.reward = RewardKind::label;
  options.relevant = 2;
  options.topics = PoolTopics{kTopicsInTurn, 2};
  return options;
}

TEST_CASE("with topics a label reward wants one of them, drawn in each trial if none is given, and its words matter") {
  const PoolMatrix pool = pool_with_topics();
  WorldOptions options = topic_options();
  options.topics->wanted = 0;
  const World world = make_world(pool.view(), options, 1, 0);
  CHECK(world.rewards.expected() == std::vector<double>{1, -1, 1, -1, 1, -1, 1, -1});
  CHECK(world.relevant == std::vector<FeatureId>{0, 2});
  CHECK(world.marks.markable() == world.relevant);
  options.topics->wanted = 1;
  CHECK(make_world(pool.view(), options, 1, 0).relevant == std::vector<FeatureId>{1, 3});

  int first_wanted = 0;
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    const World drawn = make_world(pool.view(), topic_options(), 1, trial);
    first_wanted += drawn.rewards.expected(0) > 0.0 ? 1 : 0;
  }
  CHECK((first_wanted > 8 && first_wanted < 32));
}

TEST_CASE("more words than a topic has are refused with the number that it has") {
  const PoolMatrix pool = pool_with_topics();
  WorldOptions options = topic_options();
  options.relevant = 3;
  CHECK_THROWS_WITH_AS(static_cast<void>(make_world(pool.view(), options, 1, 0)),
                       "the number of relevant features: expected at most 2 (the words that speak for the topic), got 3",
                       FormatError);
}

TEST_CASE("given words are the ones that matter whatever the reward") {
  const PoolMatrix pool = pool_with_topics();
  WorldOptions options = topic_options();
  options.given_words = {1, 2};
  for (const RewardKind reward : {RewardKind::label, RewardKind::linear, RewardKind::logistic}) {
    options.reward = reward;
    const World world = make_world(pool.view(), options, 1, 0);
    CHECK(world.relevant == options.given_words);
    CHECK(world.marks.markable() == options.given_words);
    if (reward != RewardKind::label) CHECK(world.rewards.expected(0) == 0.0);  // holds none of them
  }
}

TEST_CASE("an empty document is never the truth of a document reward") {
  WorldOptions options;
  options.reward = RewardKind::document;
  const PoolMatrix pool = inkling::test::pool_of(2, {{}, {}, {{1, 1.0F}}, {{0, 0.0F}}, {}});
  for (std::uint64_t trial = 0; trial < 20; ++trial)
    CHECK(make_world(pool.view(), options, 1, trial).relevant == std::vector<FeatureId>{1});
  const PoolMatrix nothing = inkling::test::pool_of(2, {{}, {{0, 0.0F}}});
  CHECK_THROWS_WITH_AS(static_cast<void>(make_world(nothing.view(), options, 1, 0)),
                       "the truth of a document reward: expected a document that holds a word, found none", FormatError);
}

TEST_CASE("a world depends on options and seed and trial alone") {
  const World one = make_synthetic_world(small_world(), 4, 2);
  const World same = make_synthetic_world(small_world(), 4, 2);
  const World other_trial = make_synthetic_world(small_world(), 4, 3);
  CHECK(one.rewards.expected() == same.rewards.expected());
  CHECK(one.relevant == same.relevant);
  CHECK(one.rewards.expected() != other_trial.rewards.expected());
}

TEST_CASE("more relevant words than the pool can offer are refused with the number that it can") {
  WorldOptions options = small_world();
  options.relevant_frequency = {0.999, 1.0};
  CHECK_THROWS_WITH_AS(static_cast<void>(make_synthetic_world(options, 1, 0)),
                       "the number of relevant features: expected at most 0 (the features of this pool that qualify), got 3",
                       FormatError);
}

TEST_CASE("the exploration for all marks is the fewest rounds that miss one with probability 5 percent at most") {
  // One relevant word that every document holds, marked with probability 1/2: (1/2)^T0 <= 0.05 from T0 = 5
  // on.
  CsrMatrix documents(1);
  const std::vector<FeatureId> word = {0};
  documents.append_row({word, std::vector<float>{1.0F}});
  const PoolMatrix pool(std::move(documents));
  WorldOptions options = small_world();
  options.relevant = 1;
  const World world = make_world(pool.view(), options, 1, 0);
  CHECK(rounds_to_find_all(world, 1000) == 5);
  CHECK(rounds_to_find_all(world, 3) == 3);
  options.mark_probability = 0.0;
  CHECK(rounds_to_find_all(make_world(pool.view(), options, 1, 0), 1000) == 1000);
  options.mark_probability = 1.0;
  CHECK(rounds_to_find_all(make_world(pool.view(), options, 1, 0), 1000) == 1);
}

TEST_CASE("relevant features lie within the band or are refused, rewards follow the seed, and the rest is noise alone") {
  const test::SmallRatedPool small;
  CHECK(small.rated.relevant.size() == 12);
  for (const FeatureId feature : small.rated.relevant) {
    const auto frequency = static_cast<double>(small.pool.view().by_feature.row(feature).size());
    CHECK(frequency >= 0.01 * 400);
    CHECK(frequency <= 0.3 * 400);
  }
  CHECK(small.rated.marks.markable() == small.rated.relevant);
  CHECK(test::SmallRatedPool().rated.rewards.expected() == small.rated.rewards.expected());

  std::int64_t without = 0;
  double squares = 0.0;
  for (DocumentId i = 0; i < 400; ++i) {
    double weight = 0.0;
    for (const FeatureId feature : small.rated.relevant)
      weight += static_cast<double>(value_at(small.pool.view().by_document.row(i), feature));
    if (weight > 0.0) continue;
    ++without;
    squares += small.rated.rewards.expected(i) * small.rated.rewards.expected(i);
  }
  REQUIRE(without > 20);
  CHECK(std::sqrt(squares / static_cast<double>(without)) == doctest::Approx(0.1).epsilon(0.4));

  CHECK_THROWS_WITH_AS(static_cast<void>(rate_pool(small.pool.view(), {.relevant = 300})),
                       doctest::Contains("the number of relevant features"), FormatError);
}

TEST_CASE("a word is new the first time it is marked, and readers of one seed and trial give the same answers") {
  const World world = make_synthetic_world(small_world(), 1, 0);
  SimulatedReader reader(world, 1, 0);
  std::set<FeatureId> seen;
  for (DocumentId i = 0; i < 60; ++i) {
    const Answer answer = reader.answer(i);
    for (const FeatureId feature : answer.new_marks) CHECK(seen.insert(feature).second);
    for (const FeatureId feature : answer.marks) CHECK(seen.contains(feature));
  }
  CHECK(seen.size() == 3);  // all words that matter, each marked in half of the showings

  SimulatedReader one(world, 5, 2);
  SimulatedReader same(world, 5, 2);
  SimulatedReader other(world, 5, 3);
  bool differs = false;
  for (DocumentId i = 0; i < 20; ++i) {
    const double reward = one.answer(i).reward;
    CHECK(same.answer(i).reward == reward);
    differs = differs || other.answer(i).reward != reward;
  }
  CHECK(differs);
}

}  // namespace
}  // namespace inkling::bench
