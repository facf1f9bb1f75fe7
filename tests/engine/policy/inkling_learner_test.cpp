// The policy `inkling` against its plain twin, and what its rule says of grades, words and measurements.
#include "engine/policy/inkling_learner.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/model/linear_model.hpp"
#include "engine/policy/graded_learner.hpp"
#include "engine/policy/policy_state.hpp"
#include "engine/scoring/survey/average_document.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/reference_inkling.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/engine/test_vectors.hpp"

namespace inkling {
namespace {

using test::between, test::Real;

constexpr std::uint64_t kInklingSeed = 1403;

TEST_CASE("a scale of grades has its middle at 0 and its ends at -1 and 1") {
  GradeScale scale;
  CHECK(scale.target(1.0) == 1.0);
  CHECK(scale.target(0.0) == -1.0);
  CHECK_FALSE(scale.widen(1.0));
  CHECK(scale.widen(-1.0));
  CHECK(scale.target(1.0) == 1.0);
  CHECK(scale.target(-1.0) == -1.0);
  CHECK_FALSE(scale.widen(0.5));
  GradeScale lopsided;
  CHECK(lopsided.widen(-1.0));
  CHECK(lopsided.widen(4.0));
  CHECK(lopsided.target(0.0) == 0.0);
  CHECK(lopsided.target(4.0) == 1.0);
  GradeScale stars;
  CHECK(stars.widen(5.0));
  CHECK(stars.target(5.0) == 1.0);
  CHECK(stars.target(2.5) == 0.0);
  GradeScale small;
  CHECK(small.widen(-0.25));
  CHECK(small.target(0.25) == 1.0);
}

TEST_CASE("rewards are measurements if there are at least three and more than three in four differ") {
  CHECK_FALSE(are_measurements(0, 0));
  CHECK_FALSE(are_measurements(2, 2));
  CHECK(are_measurements(3, 3));
  CHECK_FALSE(are_measurements(4, 3));
  CHECK(are_measurements(5, 4));
}

TEST_CASE("bad grades weigh less and good ones more if most are bad") {
  const InklingOptions options;
  const GradeBalance alike = GradeBalance::of(3, 0, options);
  CHECK(alike.good == 1.0);
  CHECK(alike.bad == 1.0);
  CHECK(GradeBalance::of(0, 50, options).bad == 1.0);
  CHECK(GradeBalance::of(10, 3, options).bad == 1.0);
  // 0.3 * 20 / 48 = 1/8.
  const GradeBalance few = GradeBalance::of(20, 48, options);
  CHECK(few.bad == doctest::Approx(1.0 / 8.0));
  CHECK(few.good == doctest::Approx(8.0));
  CHECK(few.average == doctest::Approx(0.1 / 8.0 * 68.0));
  CHECK(GradeBalance::of(1, 1'000'000, options).good == doctest::Approx(20.0));
  CHECK_FALSE(few.is_far_from(few));
  CHECK(few.is_far_from(alike));
  CHECK_FALSE(GradeBalance::of(20, 50, options).is_far_from(few));
}

TEST_CASE("grades near 0 keep their digits when the first one below 0 comes") {
  const PoolMatrix pool = test::pool_of(3, {{{0, 1.0F}}, {{1, 1.0F}}, {{2, 1.0F}}, {{0, 0.6F}, {1, 0.8F}}});
  for (const double size : {1e-9, 1e-12, 1e-300}) {
    CAPTURE(size);
    Policy small(pool.view(), "inkling");
    Policy large(pool.view(), "inkling");
    for (const double grade : {1.0, 0.0, 1.0, -1.0}) {
      const DocumentId document = grade < 0.0 ? 2 : grade == 0.0 ? 1 : 0;
      small.observe(document, size * grade, {});
      large.observe(document, grade, {});
    }
    const std::vector<Ranked> expected = large.ranking(4);
    const std::vector<Ranked> found = small.ranking(4);
    for (std::size_t n = 0; n < expected.size(); ++n) CHECK(std::fabs(found[n].score - expected[n].score) < 1e-12);
  }
}

TEST_CASE("the average document is the mean of each word over all documents") {
  const PoolMatrix pool = test::pool_of(3, {{{0, 1.0F}}, {{0, 0.5F}, {2, 1.0F}}, {}, {}});
  const AverageDocument average = average_document(pool.view().by_feature);
  CHECK(average.features == std::vector<FeatureId>{0, 2});
  CHECK(average.values == std::vector<float>{0.375F, 0.25F});
}

TEST_CASE("a search begun by words alone shows the documents that hold them first") {
  const PoolMatrix pool = test::pool_of(4, {{{0, 1.0F}}, {{1, 1.0F}}, {{0, 0.6F}, {2, 0.8F}}, {{2, 1.0F}}, {{3, 1.0F}}});
  Policy policy(pool.view(), "inkling", {.with_replacement = false});
  const SaidWord liked{.feature = 2, .reward = 1.0};
  const SaidWord disliked{.feature = 0, .reward = -1.0};
  policy.rate_words({{liked, disliked}});
  CHECK(policy.choose().document == 3);
  const std::vector<Ranked> ranking = policy.ranking(5);
  CHECK(ranking.front().document == 3);
  CHECK(ranking.back().document == 0);
}

TEST_CASE("a search that finds nothing for long draws documents at random until it has found two") {
  RandomStream random = test::stream_for(kInklingSeed, 6'000'000);
  const PoolMatrix pool = test::random_pool({.documents = 40, .features = 6, .density = 0.5}, random);
  Policy policy(pool.view(), "inkling", {.with_replacement = false});
  std::string explored;
  const std::string grades = "10000000000100000000010000000000";
  for (const char grade : grades) {
    const Play play = policy.choose();
    explored += play.explored ? 'r' : '.';
    CHECK(play.exploration == (play.explored ? 1.0 : 0.0));
    policy.observe(play.document, grade == '1' ? 1.0 : 0.0, {});
  }
  CHECK(explored == "r........r.r........r...........");
}

/// The engine and its twin with the same reader, who gives every kind of answer.
class InklingProblem {
 public:
  explicit InklingProblem(std::uint64_t number)
      : random_(test::stream_for(kInklingSeed, number)),
        pool_(test::random_pool(
            {.documents = between(1, 12, random_), .features = between(1, 7, random_), .density = 0.5, .degenerate = true},
            random_)),
        vectors_(test::random_vectors(pool_.view().documents(), random_.coin(0.3) ? between(1, 20, random_) : 0, random_)),
        view_(vectors_.with(pool_.view())),
        whole_(test::whole_pool(view_)),
        grades_(static_cast<std::size_t>(between(0, 3, random_))),
        policy_(view_, "inkling", options()),
        twin_(view_, whole_.view()) {}

  [[nodiscard]] std::string play() {
    const int rounds = between(3, 14, random_);
    while (random_.coin(0.4)) rate_a_word();
    for (int round = 0; round < rounds && !policy_.exhausted(); ++round) {
      const std::vector<Real> right = twin_.scores();
      const Play play = policy_.choose();
      Real best = -1e30L;
      for (DocumentId i = 0; i < pool_.view().documents(); ++i)
        if (policy_.remaining().contains(i)) best = std::max(best, right[static_cast<std::size_t>(i)]);
      if (play.explored != twin_.explores_anyway()) return "only one of the two chose at random";
      if (play.explored) {
        answer(play.document);
        continue;
      }
      if (play.radius.value_or(-1.0) > 0.0 && !twin_.measured()) return "a radius for grades";
      const Real chosen = right[static_cast<std::size_t>(play.document)];
      if (!(chosen >= best - 1e-8L * (1.0L + std::fabs(best))))
        return "round " + std::to_string(round + 1) + ": a document of score " + std::to_string(static_cast<double>(chosen)) +
               " for " + std::to_string(static_cast<double>(best));
      answer(play.document);
    }
    return {};
  }

  [[nodiscard]] bool measured() const { return twin_.measured(); }

 private:
  [[nodiscard]] PolicyOptions options() {
    PolicyOptions options = {.with_replacement = random_.coin(0.3)};
    if (random_.coin(0.5)) options.form = ModelForm::dual;
    if (random_.coin(0.3)) options.factor = FactorKind::dense;
    return options;
  }

  [[nodiscard]] double reward() {
    constexpr double kinds[3][3] = {{0.0, 1.0, 1.0}, {-1.0, 1.0, -1.0}, {1.0, 3.0, 5.0}};
    if (grades_ == 3) return random_.normal();
    return kinds[grades_][random_.below(3)];
  }

  void answer(DocumentId document) {
    const double marking = random_.coin(0.3) ? 0.9 : 0.3;  // single words, or whole sentences
    std::vector<FeatureId> marks;
    std::vector<double> confidences;
    std::vector<SaidWord> weighed;
    for (const FeatureId feature : pool_.view().by_document.row(document).features) {
      if (!random_.coin(marking)) continue;
      marks.push_back(feature);
      confidences.push_back(random_.coin(0.7) ? 1.0 : 0.1 + 0.9 * random_.uniform());
      weighed.push_back({.feature = feature, .confidence = confidences.back()});
    }
    const double grade = reward();
    policy_.observe(document, grade, marks, confidences);
    twin_.observe(document, grade, weighed);
    if (random_.coin(0.2)) rate_a_word();
  }

  void rate_a_word() {
    const SaidWord rating{.feature = between(0, pool_.view().features() - 1, random_),
                          .reward = random_.coin(0.1)   ? 0.0
                                    : random_.coin(0.7) ? 1.0
                                                        : -1.0,
                          .confidence = random_.coin(0.7) ? 1.0 : 0.5};
    policy_.rate_words({&rating, 1});
    twin_.rate_words({&rating, 1});
  }

  RandomStream random_;
  PoolMatrix pool_;
  test::Vectors vectors_;
  PoolView view_;
  PoolMatrix whole_;  // with the vectors as words
  std::size_t grades_;
  Policy policy_;
  test::ReferenceInkling twin_;
};

TEST_CASE("every choice of inkling is one of the best of its plain twin in ten thousand random searches" *
          doctest::test_suite("slow without sanitizers")) {
  int measured = 0;
  for (std::uint64_t number = 0; number < test::cases(10'000U); ++number) {
    InklingProblem problem(number);
    const std::string trouble = problem.play();
    INFO("search " << number);
    REQUIRE(trouble == "");
    measured += problem.measured() ? 1 : 0;
  }
  CHECK(measured > test::cases(1000));
  CHECK(measured < test::cases(7000));
}

TEST_CASE("a pool of many words is searched in the dual form and by bounds with the choices of the twin") {
  RandomStream random = test::stream_for(kInklingSeed, 5'000'000);
  const PoolMatrix pool = test::random_pool({.documents = 60, .features = 300, .density = 0.05}, random);
  Policy policy(pool.view(), "inkling", {.with_replacement = false});
  test::ReferenceInkling twin(pool.view());
  for (int round = 0; round < 8; ++round) {
    const std::vector<Real> right = twin.scores();
    const Play play = policy.choose();
    const DocumentId chosen = play.document;
    for (DocumentId i = 0; i < 60; ++i)
      if (!play.explored && policy.remaining().contains(i))
        REQUIRE(right[static_cast<std::size_t>(chosen)] >= right[static_cast<std::size_t>(i)] - 1e-9L);
    const SparseRow row = pool.view().by_document.row(chosen);
    const double grade = random.coin(0.5) ? 1.0 : 0.0;
    const std::vector<FeatureId> marks(row.features.begin(), row.features.begin() + (row.empty() ? 0 : 1));
    policy.observe(chosen, grade, marks);
    std::vector<SaidWord> weighed;
    for (const FeatureId feature : marks) weighed.push_back({.feature = feature});
    twin.observe(chosen, grade, weighed);
  }
  CHECK(policy.learner()->model()->form() == ModelForm::dual);
  CHECK(policy.learner()->documents_scored() > 0);
}

TEST_CASE("vectors change choices, are no words, and count for nothing with the weight 0") {
  RandomStream random = test::stream_for(kInklingSeed, 5'000'002);
  const PoolMatrix pool = test::random_pool({.documents = 500, .features = 300, .density = 0.05}, random);
  const test::Vectors vectors = test::random_vectors(500, 40, random);
  Policy words(pool.view(), "inkling");
  Policy both(vectors.with(pool.view()), "inkling");
  Policy ignoring(vectors.with(pool.view()), "inkling", {.inkling = {.vectors = 0.0}});
  CHECK(both.features_in_use() == 300);
  for (DocumentId document = 0; document < 40; ++document)
    for (Policy* const policy : {&words, &both, &ignoring}) policy->observe(document, document % 3 == 0 ? 1.0 : 0.0, {});
  const std::vector<Ranked> expected = words.ranking(500);
  CHECK(test::same_ranking(ignoring.ranking(500), expected));
  CHECK_FALSE(test::same_ranking(both.ranking(500), expected));
  CHECK(both.features_in_use() == 300);
  // A learner that knows nothing of vectors sees the words alone.
  Policy first(pool.view(), "ff-oful");
  Policy second(vectors.with(pool.view()), "ff-oful");
  for (DocumentId document = 0; document < 10; ++document) {
    const FeatureId mark = pool.view().by_document.row(document).features.front();
    first.observe(document, 1.0, std::vector{mark});
    second.observe(document, 1.0, std::vector{mark});
  }
  CHECK(test::same_ranking(first.ranking(20), second.ranking(20)));
}

TEST_CASE("a thousand words that are rated apart are learned as the primal form learns them, without a row for each") {
  RandomStream random = test::stream_for(kInklingSeed, 5'000'001);
  const PoolMatrix pool = test::random_pool({.documents = 40, .features = 1'000, .density = 0.02}, random);
  Policy dual(pool.view(), "inkling", {.form = ModelForm::dual, .with_replacement = false});
  Policy primal(pool.view(), "inkling", {.form = ModelForm::primal, .with_replacement = false});
  const auto rate = [&](FeatureId first, FeatureId end) {
    std::vector<SaidWord> said;
    for (FeatureId feature = first; feature < end; ++feature)
      said.push_back({.feature = feature, .reward = feature % 3 == 0 ? -1.0 : 0.5, .confidence = 1.0});
    dual.rate_words(said);
    primal.rate_words(said);
  };
  rate(0, 400);
  for (DocumentId document = 0; document < 6; ++document) {
    dual.observe(document, document % 2, {});
    primal.observe(document, document % 2, {});
    rate(400 + 100 * document, 500 + 100 * document);
  }
  rate(100, 105);  // again
  rate(700, 705);
  CHECK(dual.learner()->model()->played().in_order().size() <= 256 + 7);
  const std::vector<Ranked> expected = primal.ranking(34);
  const std::vector<Ranked> found = dual.ranking(34);
  REQUIRE(found.size() == expected.size());
  for (std::size_t n = 0; n < found.size(); ++n) REQUIRE(std::fabs(found[n].score - expected[n].score) < 1e-9);
}

TEST_CASE("a misplaced rating of a word is refused and changes nothing") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}}, {{1, 1.0F}}});
  for (const char* const preset : {"inkling", "ff-oful", "soft-marks", "random"}) {
    CAPTURE(preset);
    Policy policy(pool.view(), preset);
    const SaidWord outside{.feature = 2};
    const SaidWord unsure{.feature = 0, .confidence = 0.0};
    const SaidWord endless{.feature = 0, .reward = std::nan("")};
    for (const SaidWord& wrong : {outside, unsure, endless}) CHECK_THROWS_AS(policy.rate_words({&wrong, 1}), FormatError);
    if (std::string(preset) == "ff-oful") CHECK(policy.features_in_use() == 0);
  }
}

TEST_CASE("a policy that does not learn from rated words takes a word rated good as a mark") {
  const PoolMatrix pool = test::pool_of(3, {{{0, 1.0F}}, {{1, 1.0F}}, {{2, 1.0F}}});
  Policy policy(pool.view(), "ff-oful");
  const SaidWord good{.feature = 1, .reward = 1.0};
  const SaidWord bad{.feature = 2, .reward = -1.0};
  policy.rate_words({{good, bad}});
  CHECK(policy.features_in_use() == 1);
  CHECK(policy.learner()->uses(1));

  Policy learned(pool.view(), "ff-oful");
  const std::vector<SaidWord> words = {good, bad};
  const std::vector<PastEvent> past = {{.document = kNoDocument, .words = words}, {.document = 0, .reward = 1.0}};
  learned.learn(past);
  CHECK(learned.features_in_use() == 1);
  CHECK(learned.learner()->model()->played().plays() == 1);
}

TEST_CASE("a word that is marked twice in a document counts once among its marks") {
  const PoolMatrix pool = test::pool_of(6, {{{0, 1.0F}, {1, 1.0F}, {2, 1.0F}, {3, 1.0F}, {4, 1.0F}}, {{0, 1.0F}}});
  const auto score_after = [&](const std::vector<FeatureId>& marks) {
    Policy policy(pool.view(), "inkling");
    policy.observe(0, 1.0, marks);
    return policy.ranking(2, [](DocumentId document) { return document == 1; }).front().score;
  };
  CHECK(score_after({0, 1, 2, 3, 4, 0, 0}) == score_after({0, 1, 2, 3, 4}));
  CHECK(score_after({0, 1, 2, 3, 4}) < score_after({0, 1, 2, 3}));
}

TEST_CASE("inkling learns the same from events at once as one by one") {
  for (std::uint64_t number = 0; number < 200; ++number) {
    INFO("search " << number);
    RandomStream random = test::stream_for(kInklingSeed, 7'000'000 + number);
    const PoolMatrix pool = test::random_pool({.documents = 20, .features = 8, .density = 0.4}, random);
    PolicyOptions options = {.with_replacement = false};
    if (random.coin(0.5)) options.form = ModelForm::dual;
    const bool graded = random.coin(0.5);
    std::vector<PastEvent> events;
    std::vector<std::vector<SaidWord>> marks(10);
    std::vector<SaidWord> words(10);
    for (DocumentId i = 0; i < 10; ++i) {
      const auto at = static_cast<std::size_t>(i);
      for (const FeatureId feature : pool.view().by_document.row(i).features)
        if (random.coin(0.3)) marks[at].push_back({.feature = feature});
      const double reward = graded ? static_cast<double>(between(0, 1, random)) : random.normal();
      events.push_back({.document = i, .reward = reward, .words = marks[at]});
      words[at] = {.feature = between(0, 7, random), .reward = random.coin(0.5) ? 1.0 : -1.0};
      if (random.coin(0.3)) events.push_back({.document = kNoDocument, .words = {&words[at], 1}});
    }
    Policy one_by_one(pool.view(), "inkling", options);
    for (const PastEvent& event : events) one_by_one.observe(event);
    Policy at_once(pool.view(), "inkling", options);
    at_once.learn(events);
    const std::vector<Ranked> expected = one_by_one.ranking(10);
    const std::vector<Ranked> found = at_once.ranking(10);
    REQUIRE(found.size() == expected.size());
    for (std::size_t n = 0; n < found.size(); ++n) REQUIRE(std::fabs(found[n].score - expected[n].score) < 1e-9);
  }
}

}  // namespace
}  // namespace inkling
