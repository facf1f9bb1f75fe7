#include "bench/rivals/classifier_learner.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/scoring/ranking.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling::bench {
namespace {

constexpr std::uint64_t kClassifierLearnerSeed = 1451;

constexpr ClassifierLearnerOptions kPlain = {};
constexpr ClassifierLearnerOptions kBothSides = {.learns_from_one_side = false};
constexpr ClassifierLearnerOptions kWordDocuments = {.marks = {.use = MarkUse::documents}};
constexpr ClassifierLearnerOptions kContrasts = {.marks = {.use = MarkUse::contrasts}};

/// Checks that the learner has the weights that its classifier gives for these examples. Other tests check the classifier.
void check_weights(const ClassifierLearner& learner, ClassifierLoss loss, const std::vector<ClassifierExample>& examples,
                   double tolerance) {
  LinearClassifier right(learner.features_in_use(), {.loss = loss, .accuracy = 1e-10});
  right.fit(examples);
  for (FeatureId j = 0; j < learner.features_in_use(); ++j)
    REQUIRE(std::fabs(learner.weight(j) - right.weights()[static_cast<std::size_t>(j)]) < tolerance);
}

/// The first choices with this number of seeds.
std::set<DocumentId> chosen_first(GreedyLearner& learner, int seeds) {
  std::set<DocumentId> chosen;
  for (int seed = 0; seed < seeds; ++seed) {
    RandomStream random = test::stream_for(kClassifierLearnerSeed, static_cast<std::uint64_t>(seed));
    learner.rate_words({});  // trains again
    chosen.insert(learner.choose(random));
  }
  return chosen;
}

/// Two documents of one word, two of another, one of both.
PoolMatrix two_words() {
  return test::pool_of(3, {{{0, 1.0F}}, {{0, 1.0F}, {2, 0.1F}}, {{1, 1.0F}}, {{1, 1.0F}, {2, 0.1F}}, {{0, 0.7F}, {1, 0.7F}}});
}

struct TwoWords {
  const PoolMatrix pool = two_words();
};

TEST_CASE_FIXTURE(TwoWords, "until a document is wanted choices are drawn from all that remain") {
  for (const ClassifierLearnerOptions& options : {kPlain, kBothSides, kWordDocuments, kContrasts}) {
    ClassifierLearner learner(pool.view(), options);
    CHECK(chosen_first(learner, 60) == std::set<DocumentId>{0, 1, 2, 3, 4});
    learner.observe(0, -1.0);
    learner.retire(0);
    CHECK(chosen_first(learner, 60) == std::set<DocumentId>{1, 2, 3, 4});
    CHECK(learner.weight(0) == 0.0);
  }
}

TEST_CASE_FIXTURE(TwoWords, "with wanted documents alone similar ones come first unless the classifier needs both sides") {
  ClassifierLearner one_side(pool.view(), kPlain);
  one_side.observe(0, 1.0);
  one_side.retire(0);
  CHECK(chosen_first(one_side, 20) == std::set<DocumentId>{1});
  ClassifierLearner both_sides(pool.view(), kBothSides);
  both_sides.observe(0, 1.0);
  both_sides.retire(0);
  CHECK(chosen_first(both_sides, 60) == std::set<DocumentId>{1, 2, 3, 4});
  both_sides.observe(2, -1.0);
  both_sides.retire(2);
  CHECK(chosen_first(both_sides, 20) == std::set<DocumentId>{1});
}

TEST_CASE_FIXTURE(TwoWords, "a rated document is never presumed to be not wanted") {
  ClassifierLearner learner(pool.view(), {.presumed = 100});
  RandomStream random = test::stream_for(kClassifierLearnerSeed);
  learner.observe(0, 1.0);
  learner.retire(0);
  CHECK(learner.choose(random) != 0);
  CHECK(learner.weight(1) < 0.0);  // only presumed documents hold it
  for (const DocumentId document : {1, 2, 3, 4}) learner.observe(document, document == 1 ? 1.0 : -1.0);
  for (const DocumentId document : {1, 2, 3}) learner.retire(document);
  CHECK(learner.choose(random) == 4);  // no document is left to be presumed
}

TEST_CASE_FIXTURE(TwoWords, "growing batches train after one rating and then in steps that grow by one or a tenth") {
  ClassifierLearner learner(pool.view(), {.batches = Batches::growing});
  RandomStream random = test::stream_for(kClassifierLearnerSeed);
  learner.observe(0, 1.0);
  std::vector<int> trained_at;
  for (int round = 1; round <= 110; ++round) {
    const std::int64_t before = learner.trainings();
    const DocumentId document = learner.choose(random);
    if (learner.trainings() > before) trained_at.push_back(round);
    learner.observe(document, document < 2 ? 1.0 : -1.0);
  }
  // After batches of up to 10, the next ones have 11, 13, 15 and so on.
  CHECK(trained_at == std::vector<int>{1, 2, 4, 7, 11, 16, 22, 29, 37, 46, 56, 67, 80, 95});
}

TEST_CASE_FIXTURE(TwoWords, "a ranking begins with the next choice and asking for one changes nothing") {
  for (const ClassifierLearnerOptions& options : {kPlain, kBothSides, ClassifierLearnerOptions{.presumed = 2}}) {
    ClassifierLearner learner(pool.view(), options);
    RandomStream random = test::stream_for(kClassifierLearnerSeed);
    for (const DocumentId wanted : {0, 4}) {
      RandomStream copy = random;
      const auto everything = [](DocumentId) { return true; };
      const std::vector<Ranked> ranked = learner.rank(copy, 3, everything);
      REQUIRE(ranked.size() == 3);
      CHECK(std::ranges::is_sorted(ranked, ranks_before));
      CHECK(learner.choose(random) == ranked[0].document);
      const std::vector<Ranked> others =
          learner.rank(copy, 2, [&](DocumentId document) { return document != ranked[0].document; });
      CHECK(others[0].document == ranked[1].document);
      CHECK(learner.rank(copy, 0, everything).empty());
      learner.observe(wanted, 1.0);
      learner.observe(2, -1.0);
    }
  }
}

/// All examples that the options ask for, one by one, without presumed documents.
std::vector<ClassifierExample> written_out(PoolView pool, const ClassifierLearnerOptions& options,
                                           const std::vector<double>& reward_of) {
  double wanted = 0.0;
  double unwanted = 0.0;
  for (const double reward : reward_of) (reward > 0.0 ? wanted : unwanted) += 1.0;
  std::vector<ClassifierExample> examples;
  for (std::size_t i = 0; i < reward_of.size(); ++i) {
    const bool is_wanted = reward_of[i] > 0.0;
    double cost = options.cost;
    if (options.balance > 0.0 && wanted > 0.0 && unwanted > 0.0) {
      const double total = wanted + wanted / options.balance;  // the sum of all costs before they are scaled to a mean of 1
      const double share = is_wanted ? 1.0 : wanted / (options.balance * unwanted);
      cost *= share * (wanted + unwanted) / total;
    }
    examples.push_back({.row = pool.by_document.row(static_cast<DocumentId>(i)), .side = is_wanted ? 1.0 : -1.0, .cost = cost});
  }
  return examples;
}

TEST_CASE("weights equal those of examples written one by one in hundreds of random cases") {
  int trained = 0;
  test::each_case(kClassifierLearnerSeed, 400, [&](RandomStream& random) {
    const PoolMatrix pool = test::random_pool({.documents = 8, .features = 5, .degenerate = true}, random);
    ClassifierLearnerOptions options = {.loss = random.coin(0.5) ? ClassifierLoss::logistic : ClassifierLoss::squared_hinge,
                                        .cost = 0.1 + random.uniform(),
                                        .balance = random.coin(0.5) ? 0.0 : 9.8};
    ClassifierLearner learner(pool.view(), options);
    std::vector<double> rewards;
    for (DocumentId i = 0; i < 6; ++i) {
      rewards.push_back(random.coin(0.5) ? 1.0 : -1.0);
      learner.observe(i, rewards.back());
    }
    static_cast<void>(learner.choose(random));
    if (std::ranges::count(rewards, 1.0) == 0) return;  // the choice is drawn at random
    ++trained;
    check_weights(learner, options.loss, written_out(pool.view(), options, rewards), 1e-3);
  });
  CHECK(trained > 300);
}

TEST_CASE_FIXTURE(TwoWords, "a marked word counts as a wanted document of one word whatever the rating of its document") {
  ClassifierLearner learner(pool.view(), kWordDocuments);
  RandomStream random = test::stream_for(kClassifierLearnerSeed);
  learner.observe(4, -1.0);
  learner.observe_marks(4, std::vector<SaidWord>{{.feature = 1, .confidence = 0.5}});
  static_cast<void>(learner.choose(random));
  const CsrMatrix word = test::matrix_of(3, {{{1, 1.0F}}});
  check_weights(learner, ClassifierLoss::logistic,
                {{.row = pool.view().by_document.row(4), .side = -1.0}, {.row = word.view().row(0), .cost = 0.5}}, 1e-4);
  CHECK(learner.choose(random) == 2);
}

TEST_CASE_FIXTURE(TwoWords, "a contrast is the marked words divided by the margin without a constant") {
  for (const ContrastSide side : {ContrastSide::wanted, ContrastSide::as_rated}) {
    ClassifierLearnerOptions options = kContrasts;
    options.marks.side = side;
    options.marks.margin = 0.5;
    ClassifierLearner learner(pool.view(), options);
    RandomStream random = test::stream_for(kClassifierLearnerSeed);
    learner.observe(4, 1.0);
    learner.observe_marks(4, std::vector<SaidWord>{{.feature = 1, .confidence = 1.0}});
    learner.observe(1, -1.0);
    learner.observe_marks(1, std::vector<SaidWord>{{.feature = 2, .confidence = 0.5}});
    static_cast<void>(learner.choose(random));
    const CsrMatrix brought = test::matrix_of(3, {{{1, 1.4F}}, {{2, 0.1F}}});
    const double of_unwanted = side == ContrastSide::wanted ? 1.0 : -1.0;
    check_weights(learner, ClassifierLoss::logistic,
                  {{.row = pool.view().by_document.row(4)},
                   {.row = pool.view().by_document.row(1), .side = -1.0},
                   {.row = brought.view().row(0), .constant = 0.0},
                   {.row = brought.view().row(1), .side = of_unwanted, .constant = 0.0}},
                  1e-4);
  }
}

TEST_CASE_FIXTURE(TwoWords, "a query counts as one wanted document of length 1") {
  ClassifierLearner learner(pool.view(), kPlain);
  RandomStream random = test::stream_for(kClassifierLearnerSeed);
  learner.rate_words(std::vector<SaidWord>{{1, 1.0, 1.0}, {2, 1.0, 1.0}, {0, -1.0, 1.0}});
  CHECK(learner.choose(random) == 3);
  const float share = static_cast<float>(std::sqrt(0.5));
  const CsrMatrix query = test::matrix_of(3, {{{1, share}, {2, share}}});
  check_weights(learner, ClassifierLoss::logistic, {{.row = query.view().row(0)}}, 1e-4);
}

TEST_CASE_FIXTURE(TwoWords, "a refused reward leaves a classifier as it was") {
  ClassifierLearner learner(pool.view(), kPlain);
  CHECK_THROWS_AS(learner.observe(0, 1e101), FormatError);
  CHECK(learner.feedback().size() == 0);
  CHECK(learner.features_in_use() == 3);
  CHECK(learner.uses(2));
}

}  // namespace
}  // namespace inkling::bench
