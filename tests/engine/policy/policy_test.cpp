#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/policy/policy_state.hpp"
#include "tests/support/engine/messages.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

const std::vector<FeatureId> kNoMarks = {};

/// Document i holds feature i alone, with value i + 1.
PoolMatrix one_word_documents() { return test::pool_of(4, {{{0, 1.0F}}, {{1, 2.0F}}, {{2, 3.0F}}, {{3, 4.0F}}}); }

Policy policy_of(const std::string& preset, const PoolMatrix& pool, const PolicyOptions& options = {}) {
  return {pool.view(), find_preset(preset).value(), options, {9, 0, RandomRole::exploration}, {9, 0, RandomRole::sampling}};
}

std::vector<FeatureId> in_use(const Policy& policy) {
  const auto features = policy.learner()->model()->primal()->features().in_order();
  return {features.begin(), features.end()};
}

struct OneWordDocuments {
  const PoolMatrix pool = one_word_documents();
};

TEST_CASE_FIXTURE(OneWordDocuments, "a policy made by name and seed chooses as one with the streams of that seed") {
  for (const NamedPolicy& named : named_policies()) {
    const PolicyOptions options = {.first_rounds = 3, .given = {1}};
    Policy by_name(pool.view(), named.name, options, 9);
    Policy by_streams = policy_of(std::string(named.name), pool, options);
    CAPTURE(named.name);
    CHECK_FALSE(named.summary.empty());
    for (int round = 0; round < 100; ++round) {
      const Play play = by_name.choose();
      const Play same = by_streams.choose();
      REQUIRE(play.document == same.document);
      REQUIRE(play.explored == same.explored);
      for (Policy* const policy : {&by_name, &by_streams})
        policy->observe(play.document, 0.25 * play.document, std::vector<FeatureId>{play.document});
    }
  }
}

TEST_CASE_FIXTURE(OneWordDocuments, "a name that is no policy throws, with the nearest one") {
  const auto message = [&](const std::string& name) {
    return test::error_of([&] { static_cast<void>(Policy(pool.view(), name)); });
  };
  std::string names;
  for (const NamedPolicy& policy : named_policies()) names += (names.empty() ? "" : ", ") + std::string(policy.name);
  CHECK(names.find("ff-oful, ") != std::string::npos);
  CHECK(message("ff-oful") == "none");
  CHECK(message("ff-ofull") == "policy 'ff-ofull': expected one of " + names + " (did you mean ff-oful?)");
  CHECK(message("") == "policy '': expected one of " + names);
}

TEST_CASE_FIXTURE(OneWordDocuments, "a policy that was moved continues") {
  Policy first(pool.view(), "oful");
  Policy unmoved(pool.view(), "oful");
  for (Policy* const policy : {&first, &unmoved}) policy->observe(2, 1.0, kNoMarks);
  Policy second = std::move(first);
  CHECK(second.learner()->weight(2) > 0.0);
  CHECK(second.learner()->weight(2) == unmoved.learner()->weight(2));
  CHECK(second.choose().document == unmoved.choose().document);
}

TEST_CASE("feature feedback policies play at random until the first mark and in the round after it") {
  for (const char* const preset : {"ff-oful", "ff-oful-epoch", "ff-thompson"}) {
    CAPTURE(preset);
    const PoolMatrix pool = one_word_documents();
    Policy policy = policy_of(preset, pool);
    for (int round = 0; round < 50; ++round) {
      const Play play = policy.choose();
      CHECK(play.explored);
      policy.observe(play.document, 1.0, kNoMarks);
    }
    CHECK(policy.features_in_use() == 0);
    policy.observe(policy.choose().document, 1.0, std::vector<FeatureId>{2});
    CHECK(policy.choose().explored);  // t = 1: probability 1
    int explored = 0;
    for (int round = 0; round < 2000; ++round) {
      const Play play = policy.choose();
      explored += play.explored ? 1 : 0;
      policy.observe(play.document, 1.0, kNoMarks);
    }
    CHECK(explored > 50);  // the sum of 1/sqrt(t) is about 88; of the epochs' probabilities more
    CHECK(explored < 180);
  }
}

TEST_CASE_FIXTURE(OneWordDocuments, "a mark comes into use in the round in which it is made") {
  Policy policy = policy_of("ff-oful", pool);
  policy.observe(policy.choose().document, 1.0, std::vector<FeatureId>{3, 1, 3});
  CHECK(in_use(policy) == std::vector<FeatureId>{3, 1});
  policy.observe(policy.choose().document, 1.0, std::vector<FeatureId>{1, 0});
  CHECK(in_use(policy) == std::vector<FeatureId>{3, 1, 0});
}

TEST_CASE_FIXTURE(OneWordDocuments, "plays before a mark count for the marked feature") {
  Policy policy = policy_of("ff-oful", pool);
  policy.observe(1, 6.0, kNoMarks);
  policy.observe(0, 1.0, std::vector<FeatureId>{1});
  CHECK(policy.learner()->model()->theta()[0] == doctest::Approx(12.0 / 5.0));  // V = 1 + 2^2
}

TEST_CASE_FIXTURE(OneWordDocuments, "explore-then-commit takes marks of its first rounds only and then never explores") {
  Policy policy = policy_of("explore-then-commit", pool, {.first_rounds = 2});
  policy.observe(policy.choose().document, 1.0, kNoMarks);
  const Play second = policy.choose();
  CHECK(second.explored);
  policy.observe(second.document, 1.0, std::vector<FeatureId>{2});
  for (int round = 0; round < 20; ++round) {
    const Play play = policy.choose();
    CHECK_FALSE(play.explored);
    policy.observe(play.document, 1.0, std::vector<FeatureId>{0, 1, 3});
  }
  CHECK(in_use(policy) == std::vector<FeatureId>{2});
}

TEST_CASE_FIXTURE(OneWordDocuments, "explore-then-commit without a mark always plays at random") {
  Policy policy = policy_of("explore-then-commit", pool, {.first_rounds = 2});
  for (int round = 0; round < 20; ++round) {
    const Play play = policy.choose();
    CHECK(play.explored);
    policy.observe(play.document, 1.0, kNoMarks);
  }
}

TEST_CASE_FIXTURE(OneWordDocuments, "oful uses all features and oful-subset those given and neither ever explores") {
  Policy oful = policy_of("oful", pool);
  Policy subset = policy_of("oful-subset", pool, {.given = {2, 0}});
  CHECK(in_use(oful) == std::vector<FeatureId>{0, 1, 2, 3});
  CHECK(in_use(subset) == std::vector<FeatureId>{2, 0});
  for (Policy* const policy : {&oful, &subset}) {
    for (int round = 0; round < 20; ++round) {
      const Play play = policy->choose();
      CHECK_FALSE(play.explored);
      policy->observe(play.document, 1.0, std::vector<FeatureId>{1});
    }
  }
  CHECK(in_use(subset) == std::vector<FeatureId>{2, 0});
}

TEST_CASE_FIXTURE(OneWordDocuments, "the random policy learns nothing and has no radius") {
  Policy policy = policy_of("random", pool);
  const Play play = policy.choose();
  CHECK(play.explored);
  CHECK_FALSE(play.radius.has_value());
  policy.observe(play.document, 1.0, std::vector<FeatureId>{0});
  CHECK(policy.learner() == nullptr);
  CHECK(policy.features_in_use() == 0);
}

TEST_CASE_FIXTURE(OneWordDocuments, "observations from outside do not count as rounds") {
  // With T0 = 1 only the first round explores: twenty observations before it must not use it up.
  Policy policy = policy_of("explore-then-commit", pool, {.first_rounds = 1});
  for (int n = 0; n < 20; ++n) policy.observe(n % 4, 1.0, kNoMarks);
  policy.observe(1, 1.0, std::vector<FeatureId>{1});
  CHECK(policy.choose().explored);
  CHECK_FALSE(policy.choose().explored);
}

TEST_CASE_FIXTURE(OneWordDocuments, "an observation from outside takes the document out of a pool without replacement") {
  Policy policy = policy_of("oful", pool, {.with_replacement = false});
  policy.observe(3, 5.0, kNoMarks);
  policy.observe(3, 5.0, kNoMarks);  // a second time is not an error
  CHECK(policy.remaining().size() == 3);
  CHECK_FALSE(policy.remaining().contains(3));
}

TEST_CASE("every preset without replacement shows each document once and then is exhausted") {
  for (const Preset& preset : presets()) {
    INFO(std::string(preset.name));
    RandomStream random = test::stream_for(141);
    const PoolMatrix pool = test::random_pool({.documents = 40, .features = 6, .density = 0.4, .degenerate = true}, random);
    Policy policy = policy_of(std::string(preset.name), pool, {.with_replacement = false, .first_rounds = 5, .given = {0, 3}});
    std::set<DocumentId> shown;
    while (!policy.exhausted()) {
      const Play play = policy.choose();
      CHECK(shown.insert(play.document).second);
      policy.observe(play.document, random.normal(), std::vector<FeatureId>{test::between(0, 5, random)});
    }
    CHECK(shown.size() == 40);
  }
}

TEST_CASE("with replacement a document may come again") {
  const PoolMatrix pool = test::pool_of(1, {{{0, 1.0F}}});
  Policy policy = policy_of("oful", pool);
  for (int round = 0; round < 5; ++round) policy.observe(policy.choose().document, 1.0, kNoMarks);
  CHECK_FALSE(policy.exhausted());
}

TEST_CASE_FIXTURE(OneWordDocuments, "an invalid observation is refused by name and leaves the policy as it was") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Preset& preset : presets()) {
    INFO(std::string(preset.name));
    Policy policy = policy_of(std::string(preset.name), pool, {.with_replacement = false, .given = {1}});
    const std::int32_t before = policy.features_in_use();
    const std::vector<FeatureId> mark = {0};
    CHECK_THROWS_WITH_AS(policy.observe(4, 1.0, mark), "document 4: expected a document from 0 to 3", FormatError);
    CHECK_THROWS_WITH_AS(policy.observe(-1, 1.0, mark), "document -1: expected a document from 0 to 3", FormatError);
    CHECK_THROWS_WITH_AS(policy.observe(0, 1.0, std::vector<FeatureId>{0, 4}), "feature 4: expected a feature from 0 to 3",
                         FormatError);
    for (const double reward : {nan, 1e308, -1e308, std::numeric_limits<double>::infinity()})
      CHECK_THROWS_AS(policy.observe(2, reward, mark), FormatError);
    CHECK(policy.features_in_use() == before);
    CHECK(policy.remaining().size() == 4);
    const LinearModel* model = policy.learner() == nullptr ? nullptr : policy.learner()->model();
    if (model != nullptr) CHECK(model->played().in_order().empty());
  }
}

TEST_CASE("marks of all features at once are learned up to the largest gram and refused beyond it") {
  const std::int32_t features = kLargestGram + 1;
  const PoolMatrix pool = test::pool_of(features, {{{0, 1.0F}, {7, 2.0F}}, {{7, 1.0F}}, {}});
  PolicyOptions options;
  options.scoring = Scoring::running;  // without the 3 GB of an inverse
  Policy policy = policy_of("ff-oful", pool, options);
  std::vector<FeatureId> all = test::all_up_to(features);
  CHECK_THROWS_WITH_AS(policy.observe(0, 1.0, all),
                       "the marks of a document: expected at most 20000 features in use, got 0 and 20001 new ones", FormatError);
  CHECK(policy.features_in_use() == 0);
  CHECK(policy.learner()->model()->played().in_order().empty());

  all.back() = 0;  // a mark repeated needs no room
  policy.observe(0, 1.0, all);
  CHECK(policy.features_in_use() == kLargestGram);
  policy.observe(1, 1.0, all);
  CHECK_THROWS_AS(policy.observe(0, 1.0, std::vector<FeatureId>{features - 1}), FormatError);
  CHECK(policy.choose().document >= 0);
}

TEST_CASE_FIXTURE(OneWordDocuments, "a policy refuses given features that do not fit and a bad ridge") {
  CHECK_THROWS_AS(policy_of("oful-subset", pool, {.given = {4}}), FormatError);
  CHECK_THROWS_AS(policy_of("oful-subset", pool, {.given = {1, 1}}), FormatError);
  PolicyOptions options = {.ridge = 0.0};
  CHECK_THROWS_AS(policy_of("ff-oful", pool, options), NumericalError);
}

TEST_CASE("documents without relevant features tie at zero and the lowest row wins") {
  const PoolMatrix pool = test::pool_of(2, {{{1, 9.0F}}, {}, {{0, 1.0F}}});
  PolicyOptions options{.given = {0}};
  options.confidence.norm_bound = 0.0;
  options.confidence.noise = 0.0;
  Policy policy = policy_of("oful-subset", pool, options);
  policy.observe(2, -5.0, kNoMarks);
  CHECK(policy.choose().document == 0);
}

}  // namespace
}  // namespace inkling
