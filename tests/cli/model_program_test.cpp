// `inkling parts learn`, `score` and `merge-scores` as a person runs them, beside `score` of one pool and of a set.
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/policy/presets.hpp"
#include "io/search/events/learning.hpp"
#include "tests/cli/score_pools.hpp"
#include "tests/support/io/small_sets.hpp"

namespace inkling {
namespace {

using test::Args, test::holds, test::inkling;
using test::operator+;
using test::ProgramResult;

/// Random rows as one pool and as a set of three shards, and the models that learned from two users.
struct ShardedPools {
  ShardedPools() {
    test::write_set(set, shards);
    succeeded(learn({"--out", model}));
  }

  [[nodiscard]] ProgramResult learn(const Args& more) const {
    return inkling(Args{"parts", "learn", set, "--events", anna, "--events", ben} + more);
  }
  [[nodiscard]] ProgramResult score(const std::string& what, const Args& more) const {
    return inkling(Args{"score", what, "--events", anna, "--events", ben} + more);
  }
  /// Scores a shard with the model.
  [[nodiscard]] ProgramResult score_shard(std::size_t shard, const Args& more) const {
    return inkling(Args{"parts", "score", shards[shard], "--model", model, "--set", set} + more);
  }
  [[nodiscard]] Args score_all_shards(const std::string& name, const Args& more) const {
    Args parts;
    for (std::size_t shard = 0; shard < shards.size(); ++shard) {
      parts.push_back(made.file(fmt::format("{}{}", name, shard)));
      succeeded(score_shard(shard, Args{"--out", parts.back()} + more));
    }
    return parts;
  }

  test::RandomPools made;
  std::string whole = made.pool(0, test::RandomPools::rows);
  Args shards = {made.pool(0, 1100), made.pool(1100, 1101), made.pool(1101, test::RandomPools::rows)};
  std::string set = made.file("set.json");
  std::string anna = made.events(1);
  std::string ben = made.events(2);
  std::string model = made.file("model");
};

TEST_CASE("joined scores of shards equal those that score prints for the pool and the set in every format") {
  const ShardedPools pools;
  const Args parts = pools.score_all_shards("part", {"--top", "30", "--explain"});
  for (const Args& how : std::vector<Args>{{},
                                           {"--top", "30"},
                                           {"--format", "csv"},
                                           {"--format", "table"},
                                           {"--top", "7", "--explain"},
                                           {"--top", "7", "--explain", "--format", "table"}}) {
    CAPTURE(how.size());
    const ProgramResult expected = succeeded(pools.score(pools.whole, how));
    CHECK(!expected.out.empty());
    CHECK(pools.score(pools.set, how).out == expected.out);
    CHECK(pools.score(pools.set, how + Args{"--io", "read"}).out == expected.out);
    CHECK(inkling(Args{"parts", "merge-scores"} + parts + how).out == expected.out);
  }
  const Args npy = {"--format", "npy", "--split", "--out"};
  CHECK(pools.score(pools.whole, npy + Args{pools.made.file("expected")}).exit_code == 0);
  CHECK(inkling(Args{"parts", "merge-scores"} + parts + npy + Args{pools.made.file("merged")}).exit_code == 0);
  for (const char* const name : {"/user1.npy", "/user2.npy"}) {
    const std::string expected = test::text_of(pools.made.file("expected") + name);
    CHECK(!expected.empty());
    CHECK(test::text_of(pools.made.file("merged") + name) == expected);
  }
}

TEST_CASE("the model of every policy can be kept and scores one pool; steps run again find their output and replace none") {
  const ShardedPools pools;
  for (const Preset& preset : presets()) {
    if (!learns_from_events(preset)) continue;
    const std::string policy(preset.name);
    CAPTURE(policy);
    const std::string model = pools.made.file(policy);
    CHECK(pools.learn({"--policy", policy, "--with-replacement", "--out", model}).exit_code == 0);
    Args parts;
    for (std::size_t shard = 0; shard < pools.shards.size(); ++shard) {
      parts.push_back(pools.made.file(fmt::format("{}{}", policy, shard)));
      CHECK(inkling({"parts", "score", pools.shards[shard], "--model", model, "--set", pools.set, "--out", parts.back()})
                .exit_code == 0);
    }
    CHECK(inkling(Args{"parts", "merge-scores"} + parts).out ==
          pools.score(pools.whole, {"--policy", policy, "--with-replacement"}).out);
  }

  const std::string model = pools.made.file("of-one");
  CHECK(inkling({"parts", "learn", pools.whole, "--events", pools.anna, "--out", model}).exit_code == 0);
  CHECK(inkling({"parts", "score", pools.whole, "--model", model, "--out", pools.made.file("one")}).exit_code == 0);
  CHECK(inkling({"parts", "merge-scores", pools.made.file("one")}).out ==
        inkling({"score", pools.whole, "--events", pools.anna}).out);

  CHECK(holds(succeeded(pools.learn({"--out", pools.model})).err, "was there already"));
  const ProgramResult other = pools.learn({"--policy", "oful", "--out", pools.model});
  CHECK(other.exit_code == 4);
  CHECK(holds(other.err, "is never replaced"));

  const std::string part = pools.made.file("part");
  CHECK(pools.score_shard(1, {"--out", part}).exit_code == 0);
  CHECK(holds(pools.score_shard(1, {"--out", part}).err, "holds these scores already"));
  check_refused(pools.score_shard(0, {"--out", part}), 4, {part});
}

TEST_CASE("models, shards and parts that do not belong together are refused by name") {
  const ShardedPools pools;
  const std::string out = pools.made.file("refused");
  const auto refused = [&](const Args& args, const std::string& why) {
    const ProgramResult result = inkling(args);
    CAPTURE(result.err);
    CHECK(result.exit_code != 0);
    CHECK(holds(result.err, why));
    CHECK_FALSE(std::filesystem::exists(out));
  };
  refused({"parts", "score", pools.whole, "--model", pools.model, "--set", pools.set, "--out", out},
          pools.whole + ": expected one of the 3 shards of " + pools.set);
  refused({"parts", "score", pools.shards[0], "--model", pools.model, "--out", out},
          pools.model + ": expected a model that was learned from " + pools.shards[0] + " alone, or --set");
  const std::string other_set = pools.made.file("other.json");
  test::write_set(other_set, std::vector{pools.shards[0], pools.shards[2]});
  refused({"parts", "score", pools.shards[0], "--model", pools.model, "--set", other_set, "--out", out},
          pools.model + ": expected a model that was learned from " + other_set);
  refused({"parts", "score", pools.shards[0], "--model", pools.whole, "--set", pools.set, "--out", out}, "an inkling model");
  refused({"parts", "score", pools.shards[0], "--model", pools.model, "--events", pools.anna, "--out", out},
          "unknown option '--events'");
  refused({"parts", "score", pools.shards[0], pools.shards[1], "--model", pools.model, "--out", out}, "unexpected argument");
  refused({"parts", "score", pools.shards[0], "--model", pools.model}, "--out: is required");
  refused({"score", pools.shards[0], "--events", pools.anna, "--model", pools.model}, "unknown option '--model'");
  refused({"score", pools.shards[0]}, "--events: is required");

  const Args parts = pools.score_all_shards("p", {"--top", "5"});
  refused({"parts", "merge-scores", parts[0], parts[2], "--out", out}, "none of shard 1");
  refused({"parts", "merge-scores", parts[0], parts[1], parts[2], parts[1], "--out", out}, "expected each shard once");
  refused(Args{"parts", "merge-scores"} + parts + Args{"--top", "6", "--out", out}, "--top: expected at most 5");
  refused(Args{"parts", "merge-scores"} + parts + Args{"--explain", "--out", out}, "--explain: expected parts that were made");
  refused({"parts", "merge-scores", pools.model, "--out", out}, pools.model);
}

TEST_CASE("a set is verified and shown as one pool and commands that take one pool say what to do") {
  const ShardedPools pools;
  CHECK(holds(succeeded(inkling({"verify", pools.set})).out, "intact. 3 shards, 3,000 documents"));
  CHECK(inkling({"show", pools.set, "1101", "2999", "0"}).out == inkling({"show", pools.whole, "1101", "2999", "0"}).out);
  CHECK(holds(inkling({"show", pools.set, "3000"}).err, "expected a row of " + pools.set + " from 0 to 2999"));
  CHECK(holds(inkling({"export", pools.set, "--to", "npz", "--out", pools.made.file("x")}).err,
              "expected one pool, found a set of them"));

  test::flip_bit_of(pools.shards[1] + "/data.npy", 1100);
  check_refused(inkling({"verify", pools.set}), 5, {pools.shards[1] + "/data.npy"});
  std::filesystem::remove_all(pools.shards[1]);
  std::filesystem::copy(pools.shards[0], pools.shards[1], std::filesystem::copy_options::recursive);
  for (const char* const command : {"verify", "score"}) {
    const Args events = std::string(command) == "score" ? Args{"--events", pools.anna} : Args{};
    check_refused(inkling(Args{command, pools.set} + events), 5,
                  {pools.shards[1] + "/manifest.json: expected the manifest of this shard"});
  }
}

}  // namespace
}  // namespace inkling
