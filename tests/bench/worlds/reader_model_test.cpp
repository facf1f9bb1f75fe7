#include "io/search/simulation/reader_model.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "engine/sparse/csr_matrix.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling::bench {
namespace {

using inkling::test::matrix_of;

/// Four documents of one word each, so that x.theta* is the word's weight.
CsrMatrix one_word_documents() { return {4, {0, 1, 2, 3, 4}, {0, 1, 2, 3}, {1.0F, 1.0F, 1.0F, 1.0F}}; }
const std::vector<double> kTruth = {-1.0, 0.0, 0.5, 2.0};

double mean_of_draws(const RewardModel& rewards, DocumentId document, int draws) {
  RandomStream random(5, 0, RandomRole::reward);
  double sum = 0.0;
  for (int n = 0; n < draws; ++n) sum += rewards.draw(document, random);
  return sum / draws;
}

TEST_CASE("a linear reward is x.theta* with noise of the given scale") {
  const CsrMatrix documents = one_word_documents();
  const RewardModel rewards = RewardModel::linear(documents.view(), kTruth, 0.5);
  RandomStream random(5, 0, RandomRole::reward);
  double squares = 0.0;
  for (int n = 0; n < 20000; ++n) squares += std::pow(rewards.draw(3, random) - 2.0, 2);
  CHECK(rewards.expected() == kTruth);
  CHECK(mean_of_draws(rewards, 3, 20000) == doctest::Approx(2.0).epsilon(0.01));
  CHECK(std::sqrt(squares / 20000) == doctest::Approx(0.5).epsilon(0.02));
}

TEST_CASE("a logistic reward has the mean 2q - 1, a label reward wants the best share, and every kind takes one draw") {
  const CsrMatrix documents = one_word_documents();
  const RewardModel rewards = RewardModel::logistic(documents.view(), kTruth);
  CHECK(rewards.expected(1) == 0.0);
  CHECK(rewards.expected(3) == doctest::Approx(std::tanh(1.0)));
  CHECK(mean_of_draws(rewards, 3, 40000) == doctest::Approx(std::tanh(1.0)).epsilon(0.02));
  RandomStream random(9, 0, RandomRole::reward);
  for (int n = 0; n < 100; ++n) CHECK(std::fabs(rewards.draw(0, random)) == 1.0);

  CHECK(RewardModel::label(documents.view(), kTruth, 0.5).expected() == std::vector<double>{-1, -1, 1, 1});
  CHECK(RewardModel::label(documents.view(), kTruth, 0.01).expected() == std::vector<double>{-1, -1, -1, 1});
  CHECK(mean_of_draws(RewardModel::label(documents.view(), kTruth, 0.5), 2, 10) == 1.0);

  for (const RewardModel& kind :
       {RewardModel::linear(documents.view(), kTruth, 0.5), RewardModel::linear(documents.view(), kTruth, 0.0),
        RewardModel::logistic(documents.view(), kTruth), RewardModel::label(documents.view(), kTruth, 0.5)}) {
    RandomStream used(5, 0, RandomRole::reward);
    RandomStream fresh(5, 0, RandomRole::reward);
    static_cast<void>(kind.draw(2, used));
    static_cast<void>(fresh.next());
    CHECK(used.next() == fresh.next());
  }
}

TEST_CASE("a reader who rates a document wrong does so each time and the wanted documents stay the same") {
  const RewardModel rewards = RewardModel::rated({1.0, -1.0, -1.0}, {-1.0, -1.0, 1.0});
  CHECK(rewards.tells_wanted());
  CHECK(rewards.is_wanted(0));
  CHECK_FALSE(rewards.is_wanted(2));
  RandomStream random(5, 0, RandomRole::reward);
  for (int n = 0; n < 20; ++n) {
    CHECK(rewards.draw(0, random) == -1.0);
    CHECK(rewards.draw(2, random) == 1.0);
  }
  RandomStream drawn(5, 0, RandomRole::reward);
  for (int n = 0; n < 40; ++n) static_cast<void>(drawn.next());
  CHECK(random.next() == drawn.next());  // one draw each time
}

TEST_CASE("only labels tell what is wanted") {
  const CsrMatrix documents = one_word_documents();
  CHECK(RewardModel::label(documents.view(), kTruth, 0.25).tells_wanted());
  CHECK(RewardModel::topic(std::vector<std::int32_t>{0, 1}, 1).tells_wanted());
  CHECK_FALSE(RewardModel::linear(documents.view(), kTruth, 0.5).tells_wanted());
  CHECK_FALSE(RewardModel::logistic(documents.view(), kTruth).tells_wanted());
}

std::vector<FeatureId> drawn(const MarkModel& model, DocumentId document, SparseRow row, RandomStream& random) {
  std::vector<FeatureId> marks = {99};
  model.draw(document, row, random, marks);
  return marks;
}

/// How many numbers were drawn from the stream since it began.
int draws_since_beginning(RandomStream random) {
  RandomStream fresh(1, 0, RandomRole::marks);
  const std::uint64_t next = random.next();
  for (int n = 0; n < 100; ++n)
    if (fresh.next() == next) return n;
  return -1;
}

const CsrMatrix kRows = matrix_of(6, {{{0, 1.0F}, {2, 1.0F}, {5, 1.0F}}, {{1, 1.0F}}, {}});

TEST_CASE("markable words take one draw each and the others none") {
  RandomStream random(1, 0, RandomRole::marks);
  const MarkModel model(6, {0, 1, 5}, {1.0});
  CHECK(drawn(model, 0, kRows.view().row(0), random) == std::vector<FeatureId>{0, 5});
  CHECK(draws_since_beginning(random) == 2);
  CHECK(drawn(model, 2, kRows.view().row(2), random).empty());
  CHECK(draws_since_beginning(random) == 2);
}

TEST_CASE("a model without words marks nothing and draws nothing") {
  RandomStream random(1, 0, RandomRole::marks);
  CHECK(drawn(MarkModel(6), 0, kRows.view().row(0), random).empty());
  CHECK(draws_since_beginning(random) == 0);
}

TEST_CASE("two rates take one draw for each word of the document") {
  RandomStream random(1, 0, RandomRole::marks);
  const MarkModel sure(6, {2}, {.deciding = 0.0, .others = 1.0});
  CHECK(drawn(sure, 0, kRows.view().row(0), random) == std::vector<FeatureId>{0, 5});
  CHECK(draws_since_beginning(random) == 3);
  CHECK(sure.markable() == std::vector<FeatureId>{2});
  CHECK(sure.probability() == 0.0);
  CHECK(drawn(MarkModel(6, {}, {.deciding = 0.5, .others = 1.0}), 1, kRows.view().row(1), random) == std::vector<FeatureId>{1});
}

TEST_CASE("deciding words and others are marked as often as their rates say") {
  const MarkModel person = MarkModel(100, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {.deciding = 0.3, .others = 0.1});
  std::vector<FeatureId> features(100);
  std::iota(features.begin(), features.end(), 0);
  const std::vector<float> values(100, 1.0F);
  RandomStream random(3, 0, RandomRole::marks);
  std::vector<FeatureId> marks;
  double hits = 0.0;
  double false_marks = 0.0;
  constexpr int shown = 1000;
  for (int n = 0; n < shown; ++n) {
    person.draw(0, {features, values}, random, marks);
    for (const FeatureId feature : marks) (feature < 10 ? hits : false_marks) += 1.0;
  }
  CHECK(std::fabs(hits / (10.0 * shown) - 0.3) < 0.02);
  CHECK(std::fabs(false_marks / (90.0 * shown) - 0.1) < 0.01);
}

TEST_CASE("without marks of other words two rates mark as one probability does") {
  RandomStream one(1, 0, RandomRole::marks);
  RandomStream other(1, 0, RandomRole::marks);
  const MarkModel plain(6, {0, 5}, {0.5});
  const MarkModel rates(6, {0, 5}, {.deciding = 0.5, .others = 0.0});
  for (int n = 0; n < 50; ++n) CHECK(drawn(plain, 0, kRows.view().row(0), one) == drawn(rates, 0, kRows.view().row(0), other));
}

TEST_CASE("marks by document are those that people made in each document") {
  RandomStream random(1, 0, RandomRole::marks);
  const auto marks = std::make_shared<const CsrMatrix>(matrix_of(6, {{{2, 1.0F}, {5, 1.0F}}, {}, {{0, 1.0F}}}));
  const MarkModel all = MarkModel::as_marked(marks, 1.0);
  CHECK(drawn(all, 0, kRows.view().row(0), random) == std::vector<FeatureId>{2, 5});
  CHECK(drawn(all, 1, kRows.view().row(1), random).empty());
  CHECK(all.markable() == std::vector<FeatureId>{0, 2, 5});
  const MarkModel none = MarkModel::as_marked(marks, 0.0);
  CHECK(drawn(none, 0, kRows.view().row(0), random).empty());
  CHECK(none.probability() == 0.0);
}

}  // namespace
}  // namespace inkling::bench
