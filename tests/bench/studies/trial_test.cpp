#include "io/search/simulation/trial.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <doctest/doctest.h>

#include "tests/bench/worlds/worlds.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling::bench {
namespace {

using test::short_entrant, test::small_world;

TEST_CASE("checkpoints are evenly spaced and end with the last round") {
  CHECK(checkpoints(3) == std::vector<std::int64_t>{1, 2, 3});
  CHECK(checkpoints(1000, 4) == std::vector<std::int64_t>{250, 500, 750, 1000});
  CHECK(checkpoints(10, 3) == std::vector<std::int64_t>{3, 6, 10});
}

TEST_CASE("a trial's totals are the sums of its rounds, and all documents shown once have no regret") {
  const World world = make_synthetic_world(small_world(), 7, 0);
  for (const Preset& preset : all_presets()) {
    CAPTURE(preset.name);
    double regret = 0.0;
    double reward = 0.0;
    std::int64_t explored = 0;
    std::set<FeatureId> found;
    const TrialResult result = run_trial(world, short_entrant(preset, 300), 0, [&](const RoundRecord& record) {
      regret += record.regret;
      reward += record.reward;
      explored += record.play.explored ? 1 : 0;
      for (const FeatureId feature : record.new_features) CHECK(found.insert(feature).second);
      CHECK(record.regret >= 0.0);
    });
    CHECK(result.regret == regret);
    CHECK(result.reward == reward);
    CHECK(result.explored == explored);
    CHECK(result.features_found == static_cast<std::int64_t>(found.size()));
    CHECK(result.curve.size() == 200);
    CHECK(result.curve.back() == regret);
    CHECK(std::ranges::is_sorted(result.curve));
  }

  for (const Preset& preset : all_presets()) {
    CAPTURE(preset.name);
    Entrant entrant = short_entrant(preset, 60);
    entrant.options.with_replacement = false;
    std::set<DocumentId> shown;
    double sum = 0.0;
    const TrialResult result = run_trial(world, entrant, 0, [&](const RoundRecord& record) {
      CHECK(shown.insert(record.play.document).second);
      sum += record.regret;
      CHECK(sum >= -1e-9);  // no sequence is better than the best one
    });
    CHECK(shown.size() == 60);
    CHECK(result.regret == doctest::Approx(0.0));
  }
}

/// A world whose wanted documents are these.
World wanted_world(const PoolMatrix& pool, const std::vector<DocumentId>& wanted) {
  std::vector<double> expected(static_cast<std::size_t>(pool.view().documents()), -1.0);
  for (const DocumentId document : wanted) expected[static_cast<std::size_t>(document)] = 1.0;
  return {pool.view(), RewardModel::rated(expected, expected), MarkModel(pool.view().features()), {}, nullptr};
}

PoolMatrix one_word_pool(std::int32_t documents) {
  std::vector<inkling::test::RowOfEntries> rows;
  for (std::int32_t n = 0; n < documents; ++n) rows.push_back({{n % 3, 1.0F}});
  return inkling::test::pool_of(3, rows);
}

Entrant search_entrant(std::string_view name, std::int64_t rounds) {
  Entrant entrant = short_entrant(name, rounds);
  entrant.options.with_replacement = false;
  return entrant;
}

TEST_CASE("a wanted document found late costs its delay alone; finds count where documents are wanted and shown once") {
  const PoolMatrix pool = one_word_pool(6);
  const World world = wanted_world(pool, {3, 5});
  std::vector<double> regrets;
  std::vector<bool> wanted;
  const TrialResult result = run_trial(world, search_entrant("random", 6), 0, [&](const RoundRecord& record) {
    regrets.push_back(record.regret);
    wanted.push_back(world.rewards.is_wanted(record.play.document));
  });
  for (std::size_t n = 0; n < 6; ++n) CHECK(regrets[n] == (n < 2 ? 1.0 : -1.0) - (wanted[n] ? 1.0 : -1.0));
  REQUIRE(result.finds);
  CHECK(result.finds->there == 2);
  CHECK(result.finds->rounds == 6);
  REQUIRE(result.finds->at.size() == 2);
  for (const std::int64_t round : result.finds->at) CHECK(wanted[static_cast<std::size_t>(round - 1)]);

  CHECK_FALSE(run_trial(wanted_world(one_word_pool(6), {3, 5}), short_entrant("random", 6), 0).finds);
  CHECK_FALSE(run_trial(make_synthetic_world(small_world(), 7, 0), search_entrant("random", 6), 0).finds);
}

TEST_CASE("a search ends when its share is found but not before its least number of rounds") {
  const PoolMatrix pool = one_word_pool(60);
  const World world = wanted_world(pool, {3, 17, 31, 40});
  const auto shown_with = [&](SearchEnd end) {
    Entrant entrant = search_entrant("random", 60);
    entrant.end = end;
    const TrialResult result = run_trial(world, entrant, 0);
    CHECK(result.curve.size() == 60);
    CHECK(result.curve.back() == result.regret);
    return result.finds->rounds;
  };
  const std::vector<std::int64_t> at = run_trial(world, search_entrant("random", 60), 0).finds->at;
  REQUIRE(at.size() == 4);
  CHECK(shown_with({0.5, 0}) == at[1]);
  CHECK(shown_with({1.0, 0}) == at[3]);
  CHECK(shown_with({0.0, 10}) == 10);
  CHECK(shown_with({0.25, 60}) == 60);
}

TEST_CASE("a given document is learned before round 1 and is neither shown nor counted among those to find") {
  const PoolMatrix pool = one_word_pool(60);
  World world = wanted_world(pool, {3, 6, 9, 12});
  world.start.documents = {3};
  for (const std::string_view name : {"oful", "soft-marks", "thompson", "random"}) {
    CAPTURE(name);
    std::set<DocumentId> shown;
    const TrialResult result =
        run_trial(world, search_entrant(name, 59), 0, [&](const RoundRecord& record) { shown.insert(record.play.document); });
    CHECK(shown.size() == 59);
    CHECK_FALSE(shown.contains(3));
    CHECK(result.finds->there == 3);
    CHECK(result.regret == doctest::Approx(0.0));
  }
  DocumentId first = -1;
  static_cast<void>(
      run_trial(world, search_entrant("oful", 1), 0, [&](const RoundRecord& record) { first = record.play.document; }));
  CHECK(first % 3 == 0);  // it has the word of the given document
}

TEST_CASE("given words are rated before round 1") {
  const PoolMatrix pool = one_word_pool(60);
  World world = wanted_world(pool, {1, 4});
  for (FeatureId word = 0; word < 3; ++word) {
    world.start.words = {{.feature = word}};
    Entrant entrant = search_entrant("ff-oful", 1);
    entrant.words_told = 3;
    const TrialResult result = run_trial(world, entrant, 0);
    REQUIRE(result.words.size() == 1);
    CHECK(result.words.front().feature == word);
  }
}

TEST_CASE("explore-then-commit plays T0 random rounds, learned words are listed, and who knows them beats chance") {
  const World world = make_synthetic_world(small_world(), 7, 0);
  Entrant entrant = short_entrant("explore-then-commit", 100);
  entrant.explore_rounds = 30;
  static_cast<void>(
      run_trial(world, entrant, 0, [](const RoundRecord& record) { CHECK(record.play.explored == (record.round <= 30)); }));

  const auto words_of = [&](std::string_view name, std::int32_t told = 5) {
    Entrant learner = short_entrant(name, 300);
    learner.words_told = told;
    return run_trial(world, learner, 0).words;
  };
  CHECK(words_of("oful", 0).empty());  // none were asked for
  const std::vector<WeighedWord> words = words_of("oful");
  REQUIRE(words.size() == 5);
  for (std::size_t n = 1; n < words.size(); ++n) CHECK(std::fabs(words[n].weight) <= std::fabs(words[n - 1].weight));
  CHECK(std::ranges::binary_search(world.relevant, words[0].feature));
  CHECK(words_of("oful-subset").size() == world.relevant.size());
  CHECK(words_of("random").empty());

  const auto regret_of = [&](std::string_view name) { return run_trial(world, short_entrant(name, 500), 0).regret; };
  const double random = regret_of("random");
  CHECK(regret_of("oful-subset") < 0.25 * random);  // it knows all relevant features from the start
  CHECK(regret_of("ff-oful") < 0.5 * random);
  CHECK(regret_of("oful") < 0.5 * random);
}

}  // namespace
}  // namespace inkling::bench
