#include <cmath>

#include <doctest/doctest.h>

#include "bench/worlds/reader_model.hpp"
#include "engine/sparse/csr_matrix.hpp"

namespace inkling::bench {
namespace {

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

TEST_CASE("a logistic reward is a sign whose mean is 2q - 1") {
  const CsrMatrix documents = one_word_documents();
  const RewardModel rewards = RewardModel::logistic(documents.view(), kTruth);
  CHECK(rewards.expected(1) == 0.0);
  CHECK(rewards.expected(3) == doctest::Approx(std::tanh(1.0)));
  CHECK(mean_of_draws(rewards, 3, 40000) == doctest::Approx(std::tanh(1.0)).epsilon(0.02));
  RandomStream random(9, 0, RandomRole::reward);
  for (int n = 0; n < 100; ++n) CHECK(std::fabs(rewards.draw(0, random)) == 1.0);
}

TEST_CASE("a label reward is plus one for the share of highest x.theta* and minus one for the rest") {
  const CsrMatrix documents = one_word_documents();
  CHECK(RewardModel::label(documents.view(), kTruth, 0.5).expected() == std::vector<double>{-1, -1, 1, 1});
  CHECK(RewardModel::label(documents.view(), kTruth, 0.01).expected() == std::vector<double>{-1, -1, -1, 1});
  CHECK(mean_of_draws(RewardModel::label(documents.view(), kTruth, 0.5), 2, 10) == 1.0);
}

TEST_CASE("every kind of reward takes one draw so that all policies get the same ones") {
  const CsrMatrix documents = one_word_documents();
  for (const RewardModel& rewards :
       {RewardModel::linear(documents.view(), kTruth, 0.5), RewardModel::linear(documents.view(), kTruth, 0.0),
        RewardModel::logistic(documents.view(), kTruth), RewardModel::label(documents.view(), kTruth, 0.5)}) {
    RandomStream used(5, 0, RandomRole::reward);
    RandomStream fresh(5, 0, RandomRole::reward);
    static_cast<void>(rewards.draw(2, used));
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

}  // namespace
}  // namespace inkling::bench
