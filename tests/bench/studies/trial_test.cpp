#include "bench/studies/trial.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <doctest/doctest.h>

#include "tests/bench/worlds/worlds.hpp"

namespace inkling::bench {
namespace {

using test::short_entrant;
using test::small_world;

TEST_CASE("checkpoints are evenly spaced and end with the last round") {
  CHECK(checkpoints(3) == std::vector<std::int64_t>{1, 2, 3});
  CHECK(checkpoints(1000, 4) == std::vector<std::int64_t>{250, 500, 750, 1000});
  CHECK(checkpoints(10, 3) == std::vector<std::int64_t>{3, 6, 10});
}

TEST_CASE("a trial's totals are the sums of its rounds") {
  const World world = make_synthetic_world(small_world(), 7, 0);
  for (const Preset& preset : all_presets()) {
    CAPTURE(preset.name);
    double regret = 0.0;
    double reward = 0.0;
    std::int64_t explored = 0;
    std::set<FeatureId> found;
    const TrialResult result =
        run_trial(world, short_entrant(preset, 300), 0, [&](const RoundRecord& record) {
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
}

TEST_CASE("without replacement every document is shown once and the last regrets are against what remains") {
  const World world = make_synthetic_world(small_world(), 7, 0);
  for (const Preset& preset : all_presets()) {
    CAPTURE(preset.name);
    Entrant entrant = short_entrant(preset, 60);
    entrant.options.with_replacement = false;
    std::set<DocumentId> shown;
    const TrialResult result = run_trial(world, entrant, 0, [&](const RoundRecord& record) {
      CHECK(shown.insert(record.play.document).second);
      if (record.round == 60) CHECK(record.regret == 0.0);  // nothing else was left to show
    });
    CHECK(shown.size() == 60);
    CHECK(result.regret >= 0.0);
  }
}

TEST_CASE("explore-then-commit plays T0 rounds at random and none after") {
  const World world = make_synthetic_world(small_world(), 7, 0);
  Entrant entrant = short_entrant("explore-then-commit", 100);
  entrant.explore_rounds = 30;
  static_cast<void>(run_trial(world, entrant, 0, [](const RoundRecord& record) {
    CHECK(record.play.explored == (record.round <= 30));
  }));
}

TEST_CASE("a trial tells the heaviest words that its policy learned and none where it learns nothing") {
  const World world = make_synthetic_world(small_world(), 7, 0);
  const auto words_of = [&](std::string_view name, std::int32_t told = 5) {
    Entrant entrant = short_entrant(name, 300);
    entrant.words_told = told;
    return run_trial(world, entrant, 0).words;
  };
  CHECK(words_of("oful", 0).empty());  // nobody asked
  const std::vector<LearnedWord> words = words_of("oful");
  REQUIRE(words.size() == 5);
  for (std::size_t n = 1; n < words.size(); ++n) {
    CHECK(std::fabs(words[n].weight) <= std::fabs(words[n - 1].weight));
  }
  CHECK(std::ranges::binary_search(world.relevant, words[0].feature));
  CHECK(words_of("oful-subset").size() == world.relevant.size());
  CHECK(words_of("random").empty());
}

TEST_CASE("a policy that knows what matters beats one that plays at random") {
  const World world = make_synthetic_world(small_world(), 7, 0);
  const auto regret_of = [&](std::string_view name) {
    return run_trial(world, short_entrant(name, 500), 0).regret;
  };
  const double random = regret_of("random");
  CHECK(regret_of("oful-subset") < 0.25 * random);  // all relevant features, from the start
  CHECK(regret_of("ff-oful") < 0.5 * random);
  CHECK(regret_of("oful") < 0.5 * random);
}

}  // namespace
}  // namespace inkling::bench
