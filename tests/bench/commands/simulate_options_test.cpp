#include "bench/commands/simulate_options.hpp"

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/model/model_options.hpp"
#include "tests/bench/worlds/tiny_pool.hpp"
#include "tests/support/engine/messages.hpp"

namespace inkling::bench {
namespace {

using test::PoolFolder;
using Args = std::vector<std::string>;

Simulation simulation(const Args& args) { return simulation_of(simulate_option_table().parse(args)); }

/// The error about these arguments.
std::string refusal_of(const Args& args) {
  return test::error_of<std::exception>([&] { static_cast<void>(simulation(args)); });
}

TEST_CASE("without a pool the options make a synthetic one") {
  const Simulation result = simulation({"--documents", "30", "--words", "3"});
  CHECK_FALSE(result.searched);
  CHECK(result.world.pool.documents == 30);
  CHECK(result.study.entrants.size() == 4);
  CHECK(result.notes.empty());
}

TEST_CASE("a pool is opened with its topics and stays open if the simulation is moved") {
  const PoolFolder folder;
  Simulation made = simulation({"--pool", folder.tiny_pool(), "--reward", "label", "--topic", "sailing"});
  const Simulation result = std::move(made);
  REQUIRE(result.searched);
  CHECK(result.searched->pool.path() == folder.file("tiny"));
  CHECK(result.searched->pool.view().documents() == 20);
  REQUIRE(result.world.topics);
  CHECK(result.world.topics->count == 2);
  CHECK(result.world.topics->wanted == 1);  // labels ascend: gardening, sailing
  const World world = make_world(result.searched->pool.view(), result.world, 1, 0);
  CHECK(world.rewards.expected(0) == -1.0);
  CHECK(world.rewards.expected(19) == 1.0);
}

TEST_CASE("a word list names the words that matter and words missing in the pool are reported") {
  const PoolFolder folder;
  const std::string list = folder.write("words.txt", "# what matters\nsoil\n\ncompost\nsoil\nzebra\n");
  const Simulation result = simulation({"--pool", folder.tiny_pool(), "--relevant-words", list});
  const auto word_of = result.searched->word_of();
  REQUIRE(result.world.given_words.size() == 2);
  CHECK(word_of(result.world.given_words[0]) == "compost");
  CHECK(word_of(result.world.given_words[1]) == "soil");
  REQUIRE(result.notes.size() == 1);
  CHECK(result.notes[0] == list + ": 2 found in the vocabulary of " + folder.file("tiny") + ", 1 not: zebra");
}

TEST_CASE("the words of the tiny corpus are all in its vocabulary") {
  const PoolFolder folder;
  const Simulation result = simulation({"--pool", folder.tiny_pool(), "--relevant-words", test::kGardeningWords});
  CHECK(result.notes.empty());
  CHECK(result.world.given_words.size() == 18);
}

TEST_CASE("options about another kind of pool are refused by name") {
  const std::vector<std::pair<Args, std::string>> cases = {
      {{"--topic", "a"}, "--topic: expected with --pool"},
      {{"--trust"}, "--trust: expected with --pool"},
      {{"--relevant-words", "w"}, "--relevant-words: expected with --pool"},
      {{"--pool", "p", "--documents", "9"}, "--documents: expected without --pool"},
      {{"--pool", "p", "--features", "9"}, "--features: expected without --pool"},
      {{"--pool", "p", "--words", "9"}, "--words: expected without --pool"},
      {{"--pool", "p", "--zipf", "1"}, "--zipf: expected without --pool"},
      {{"--pool", "p", "--topic-share", "0.5"}, "--topic-share: expected without --pool"},
      {{"--pool", "p", "--topic", "a"}, "--topic: expected with --reward label"},
      {{"--pool", "p", "--relevant-words", "w", "--reward", "document"},
       "--relevant-words: expected with --reward linear, logistic or label"},
      {{"--pool", "p", "--relevant-words", "w", "--relevant", "4"}, "--relevant: expected without --relevant-words"},
  };
  for (const auto& [args, message] : cases) {
    CHECK_THROWS_AS(static_cast<void>(simulation(args)), UsageError);
    CHECK(refusal_of(args) == message);
  }
}

TEST_CASE("a request for what a pool does not have is refused with what it has, and a word list may be short") {
  const PoolFolder folder;
  const std::string tiny = folder.tiny_pool();
  const std::string bare = folder.build(folder.write("bare.jsonl", "{\"text\":\"one two\"}\n{\"text\":\"\"}\n"), "bare");
  const std::string none = folder.write("none.txt", "# nothing here\nzebra\n");
  const std::vector<std::pair<Args, std::string>> cases = {
      {{"--pool", tiny, "--reward", "label", "--topic", "gardenning"},
       "--topic: expected a label of the pool (gardening, sailing), got 'gardenning' (did you mean gardening?)"},
      {{"--pool", bare, "--reward", "label"}, bare + ": expected documents with labels for --reward label, found none"},
      {{"--pool", tiny, "--relevant-words", none},
       none + ": expected words of the vocabulary of " + tiny + ", found none among 1"},
      {{"--pool", tiny, "--rounds", "21", "--without-replacement"},
       "--rounds: expected 1 to 20 (the documents of the pool, each shown once), got 21"},
      {{"--pool", bare, "--relevant", "3"}, "--relevant: expected 1 to 2 (the features of the pool), got 3"},
      {{"--pool", bare, "--relevant", "1", "--subset", "2"}, "--subset: expected features from 0 to 1, got 2"},
  };
  for (const auto& [args, message] : cases) CHECK(refusal_of(args) == message);
  CHECK_THROWS_AS(static_cast<void>(simulation({"--pool", folder.file("nothing")})), std::runtime_error);

  const std::string pool = folder.build(folder.write("two.jsonl", R"({"text":"one two"})"), "two");
  const Simulation result = simulation({"--pool", pool, "--relevant-words", folder.write("words.txt", "two\n")});
  CHECK(result.world.given_words == std::vector<FeatureId>{1});
}

TEST_CASE("oful searches a pool of more features than a matrix holds by its dual model") {
  const PoolFolder folder;
  std::string text = R"({"text":")";
  for (int n = 0; n <= kLargestGram; ++n) text += "w" + std::to_string(n) + " ";
  const std::string wide = folder.build(folder.write("wide.jsonl", text + "\"}\n"), "wide");
  const Simulation result = simulation({"--pool", wide, "--policy", "oful,soft-marks"});
  CHECK(result.study.entrants.size() == 2);
  CHECK(result.notes.empty());
}

TEST_CASE("policies whose matrix would be too large are left out unless they were asked for") {
  const Args large = {"--documents", "30000", "--features", "30001", "--rounds", "20001"};
  const auto with = [&](const Args& more) {
    Args args = large;
    args.insert(args.end(), more.begin(), more.end());
    return args;
  };
  const Simulation result = simulation(large);
  REQUIRE(result.study.entrants.size() == 3);
  for (const Entrant& entrant : result.study.entrants) CHECK(entrant.name != "oful");
  REQUIRE(result.notes.size() == 1);
  CHECK(result.notes[0] == "oful is left out: 20,001 different documents on 30,001 features are too many for it");
  for (const std::string name : {"oful", "soft-marks", "thompson"}) {
    CHECK(refusal_of(with({"--policy", name})) ==
          "--rounds: expected 1 to 20000 with --policy " + name +
              " on 30001 features (its matrix has a row for each document played), got 20001");
  }
  CHECK(refusal_of(with({"--policy", "oful", "--scoring", "running,rescoring"})) ==
        "--scoring: expected automatic or running with --policy oful on more than 20000 features, got 30001 features");
  for (const std::string name : {"ff-oful", "autotar", "rocchio"})
    CHECK(simulation(with({"--policy", name})).study.entrants.size() == 1);
}

TEST_CASE("settings of policies reach every entrant") {
  const Simulation result =
      simulation({"--policy", "soft-marks,oful", "--radius", "ellipsoid", "--forced-exploration", "--marked-precision", "0.5",
                  "--unmarked-precision", "7", "--mark-probability-assumed", "0.3"});
  REQUIRE(result.study.entrants.size() == 2);
  for (const Entrant& entrant : result.study.entrants) {
    const PolicyOptions& policy = entrant.options;
    CHECK(policy.radius == RadiusKind::ellipsoid);
    CHECK(policy.forced_exploration);
    CHECK(policy.soft_marks.marked_precision == 0.5);
    CHECK(policy.soft_marks.unmarked_precision == 7.0);
    CHECK(policy.soft_marks.mark_probability == 0.3);
  }
  const PolicyOptions plain = simulation({"--policy", "soft-marks"}).study.entrants.front().options;
  CHECK(plain.radius == RadiusKind::automatic);
  CHECK_FALSE(plain.forced_exploration);
  CHECK(plain.soft_marks.marked_precision == 0.0);
  CHECK(plain.soft_marks.unmarked_precision == 0.0);
  CHECK(plain.soft_marks.mark_probability == 0.0);
}

TEST_CASE("policies on all features that have a ridge are tuned and no others") {
  const std::vector<std::pair<std::string, std::size_t>> cases = {{"random", 1},      {"ff-oful", 1},   {"oful", 18},
                                                                  {"thompson", 18},   {"autotar", 1},   {"soft-marks", 1},
                                                                  {"ff-thompson", 1}, {"greedy-svm", 1}};
  for (const auto& [name, count] : cases) {
    CAPTURE(name);
    CHECK(simulation({"--tune", "--policy", name}).study.entrants.size() == count);
  }
}

}  // namespace
}  // namespace inkling::bench
