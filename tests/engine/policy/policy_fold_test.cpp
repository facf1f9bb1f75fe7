// A search depends on its answers alone, not on whether it was asked to choose, dropped its scores or was rebuilt between them.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/policy/policy_state.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::between;

constexpr std::uint64_t kFoldSeed = 20'261'201;
constexpr int kFoldRounds = 14;

/// An answer of a reader, in a round or between two.
struct Answer {
  enum class Kind { rated, skipped };

  Kind kind = Kind::rated;
  DocumentId document = 0;
  double reward = 0.0;
  std::vector<FeatureId> marks = {};
};

void tell(Policy& policy, const Answer& answer) {
  policy.pass_round();
  if (answer.kind == Answer::Kind::rated) policy.observe(answer.document, answer.reward, answer.marks);
}

/// The values of rows. If all are 1, many scores differ by rounding alone.
enum class Values { ones, plain, wild };

PoolMatrix fold_pool(RandomStream& random, Values values) {
  const std::int32_t features = between(2, 12, random);
  const test::RandomPoolOptions options{.documents = between(6, 40, random),
                                        .features = features,
                                        .density = 0.3,
                                        .degenerate = true,
                                        .wild_values = values == Values::wild};
  if (values != Values::ones) return test::random_pool(options, random);
  std::vector<test::RowOfEntries> rows;
  for (std::int32_t i = 0; i < options.documents; ++i) {
    test::RowOfEntries row;
    for (FeatureId feature = 0; feature < features; ++feature)
      if (random.coin(options.density)) row.push_back({feature, 1.0F});
    rows.push_back(row);
  }
  return test::pool_of(features, rows);
}

PolicyOptions fold_options(RandomStream& random) {
  PolicyOptions options = {.factor = random.coin(0.5) ? FactorKind::dense : FactorKind::cholmod,
                           .with_replacement = false,
                           .first_rounds = 3,
                           .given = {0, 1}};
  if (random.coin(0.5)) options.form = ModelForm::dual;
  constexpr Scoring kinds[] = {Scoring::automatic, Scoring::automatic, Scoring::sublinear, Scoring::running, Scoring::rescoring};
  options.scoring = kinds[random.below(std::size(kinds))];
  return options;
}

/// A pool, the answers of a reader, and policies that get all of them.
class FoldedSearch {
 public:
  FoldedSearch(const Preset& preset, std::uint64_t number)
      : preset_(preset),
        random_(test::stream_for(kFoldSeed, number)),
        values_(static_cast<Values>(between(0, 2, random_))),
        pool_(fold_pool(random_, values_)),
        options_(fold_options(random_)),
        seed_(number) {}

  [[nodiscard]] Policy fresh() const {
    return {pool_.view(), preset_, options_, {0, 0, RandomRole::exploration}, {0, 0, RandomRole::sampling}};
  }

  [[nodiscard]] Policy rebuilt() const {
    Policy policy = fresh();
    for (const Answer& answer : answers_) tell(policy, answer);
    return policy;
  }

  /// The policy's choice; the policy is then as it was before.
  [[nodiscard]] Play asked(Policy& policy) const {
    const PolicyState before = policy.state();
    const auto round = static_cast<std::uint64_t>(before.clock.round) + 1;
    policy.set_state({before.clock, {seed_, round, RandomRole::exploration}, {seed_, round, RandomRole::sampling}});
    const Play play = policy.choose([&](DocumentId document) { return !waiting_.contains(document); });
    policy.set_state(before);
    return play;
  }

  void answer(DocumentId shown, std::vector<Policy*> policies) {
    Answer answer{.document = shown};
    if (random_.coin(0.2)) {
      answer.kind = Answer::Kind::skipped;
      waiting_.insert(shown);
    } else {
      answer.reward = values_ == Values::ones ? static_cast<double>(between(0, 1, random_)) : random_.normal();
      for (const FeatureId feature : pool_.view().by_document.row(shown).features)
        if (random_.coin(0.25)) answer.marks.push_back(feature);
    }
    say(answer, policies);
    if (random_.coin(0.3)) waiting_.clear();
  }

  [[nodiscard]] bool any_on_offer(const Policy& policy) const {
    return static_cast<std::size_t>(policy.remaining().size()) > waiting_.size();
  }
  [[nodiscard]] std::int32_t features() const { return pool_.view().features(); }
  [[nodiscard]] RandomStream& random() noexcept { return random_; }

 private:
  void say(const Answer& answer, const std::vector<Policy*>& policies) {
    answers_.push_back(answer);
    for (Policy* const policy : policies) tell(*policy, answer);
  }

  Preset preset_;
  RandomStream random_;
  Values values_;
  PoolMatrix pool_;
  PolicyOptions options_;
  std::uint64_t seed_;
  std::vector<Answer> answers_;
  std::set<DocumentId> waiting_;  // skipped, and not on offer
};

void same_play(const Play& play, const Play& expected) {
  REQUIRE(play.document == expected.document);
  CHECK(play.explored == expected.explored);
  CHECK(play.exploration == expected.exploration);
  CHECK(play.radius == expected.radius);
}

void same_weights(const Policy& policy, const Policy& expected, std::int32_t features) {
  if (policy.learner() == nullptr) return;
  for (FeatureId feature = 0; feature < features; ++feature)
    REQUIRE(policy.learner()->weight(feature) == expected.learner()->weight(feature));
}

void choices_follow_from_answers(const Preset& preset, std::uint64_t number) {
  FoldedSearch search(preset, number);
  RandomStream disturbing = test::stream_for(kFoldSeed + 1, number);
  Policy plain = search.fresh();      // chooses in every round
  Policy quiet = search.fresh();      // is seldom asked
  Policy disturbed = search.fresh();  // is asked several times, for rankings too, and drops its scores
  for (int round = 0; round < kFoldRounds && search.any_on_offer(plain); ++round) {
    INFO("round " << round);
    const Play expected = search.asked(plain);
    if (disturbing.coin(0.2)) same_play(search.asked(quiet), expected);
    for (int time = between(0, 2, disturbing); time >= 0; --time) {
      if (disturbing.coin(0.4)) disturbed.keep_scores(disturbing.coin(0.5));
      if (disturbing.coin(0.2)) static_cast<void>(disturbed.ranking(3));
      same_play(search.asked(disturbed), expected);
    }
    if (disturbing.coin(0.2)) {
      Policy rebuilt = search.rebuilt();
      if (disturbing.coin(0.5)) rebuilt.keep_scores(false);
      same_play(search.asked(rebuilt), expected);
      same_weights(rebuilt, plain, search.features());
    }
    search.answer(expected.document, {&plain, &quiet, &disturbed});
  }
  same_weights(disturbed, plain, search.features());
  same_weights(quiet, plain, search.features());
}

TEST_CASE("what a search shows depends on its answers alone with every preset") {
  for (const Preset& preset : presets()) {
    for (std::uint64_t number = 0; number < 300; ++number) {
      INFO("preset " << preset.name << " problem " << number);
      choices_follow_from_answers(preset, number);
    }
  }
}

Policy fold_policy(const PoolMatrix& pool, const char* preset, std::uint64_t seed) {
  return {pool.view(), preset, {.with_replacement = false, .given = {0, 1}}, seed};
}

TEST_CASE("a choice among given documents is the best or a random one of them") {
  RandomStream random = test::stream_for(kFoldSeed + 2);
  const PoolMatrix pool = test::random_pool({.documents = 60, .features = 8, .degenerate = true}, random);
  for (const char* const name : {"random", "oful", "ff-oful", "thompson"}) {
    for (const bool keeps : {true, false}) {
      INFO("preset " << name << " keeps " << keeps);
      Policy policy = fold_policy(pool, name, 5);
      policy.keep_scores(keeps);
      for (int round = 0; round < 15; ++round) {
        const auto on_offer = [&](DocumentId document) { return document % 3 == round % 3; };
        const std::vector<Ranked> best = policy.ranking(1, on_offer);
        const Play play = policy.choose(on_offer);
        REQUIRE(on_offer(play.document));
        REQUIRE(policy.remaining().contains(play.document));
        const bool draws_a_truth = std::string(name) == "thompson";
        if (!play.explored && !draws_a_truth) CHECK(play.document == best.front().document);
        policy.observe(play.document, random.normal(), std::vector<FeatureId>{between(0, 7, random)});
      }
    }
  }
}

TEST_CASE("a random play among given documents is each of them equally often") {
  const PoolMatrix pool = test::pool_of(1, {{}, {}, {}, {}, {}, {}});
  Policy policy = fold_policy(pool, "random", 6);
  policy.observe(4, 0.0, {});
  std::vector<int> drawn(6, 0);
  constexpr int draws = 3000;
  for (int n = 0; n < draws; ++n)
    ++drawn[static_cast<std::size_t>(policy.choose([](DocumentId document) { return document != 1; }).document)];
  CHECK(drawn[1] == 0);
  CHECK(drawn[4] == 0);
  for (const std::size_t document : {0U, 2U, 3U, 5U}) CHECK(std::abs(drawn[document] - draws / 4) < 120);
}

TEST_CASE("a play has the probability with which its round explored, and a passed round counts and draws nothing") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}}, {{1, 1.0F}}, {{0, 2.0F}}, {{1, 2.0F}}});
  Policy policy = fold_policy(pool, "ff-oful", 7);
  CHECK(policy.choose().exploration == 1.0);
  policy.observe(0, 1.0, std::vector<FeatureId>{0});
  CHECK(policy.choose().exploration == 1.0);
  CHECK(policy.choose().exploration == 1.0 / std::sqrt(2.0));
  policy.pass_round();
  CHECK(policy.choose().exploration == 0.5);
  CHECK(fold_policy(pool, "oful", 7).choose().exploration == 0.0);
  CHECK(fold_policy(pool, "random", 7).choose().exploration == 1.0);

  Policy chooses = fold_policy(pool, "ff-oful", 8);
  Policy passes = fold_policy(pool, "ff-oful", 8);
  for (int round = 0; round < 3; ++round) {
    RandomStream before = passes.state().exploration;
    static_cast<void>(chooses.choose());
    passes.pass_round();
    CHECK(passes.state().clock.round == chooses.state().clock.round);
    CHECK(passes.state().clock.since_first_mark == chooses.state().clock.since_first_mark);
    RandomStream after = passes.state().exploration;
    CHECK(before.next() == after.next());
    for (Policy* const each : {&chooses, &passes}) each->observe(round, 1.0, std::vector<FeatureId>{0});
  }
  CHECK(passes.state().clock.since_first_mark == 2);
}

}  // namespace
}  // namespace inkling
