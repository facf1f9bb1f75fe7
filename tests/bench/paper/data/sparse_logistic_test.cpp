#include "bench/paper/data/sparse_logistic.hpp"

#include <cmath>
#include <thread>

#include <doctest/doctest.h>

#include "tests/bench/paper/data/topical_rows.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling::bench {
namespace {

using inkling::test::matrix_of;

/// The weights of all features, then the constant.
using LogisticWeights = std::vector<double>;

LogisticWeights dense(const SparseLogisticFit& fit, std::int32_t features) {
  LogisticWeights weights(static_cast<std::size_t>(features) + 1, 0.0);
  for (std::size_t n = 0; n < fit.support.size(); ++n) weights[static_cast<std::size_t>(fit.support[n])] = fit.weights[n];
  weights.back() = fit.constant;
  return weights;
}

std::vector<double> signs_of(const std::vector<std::int32_t>& labels, std::int32_t wanted) {
  std::vector<double> signs;
  for (const std::int32_t label : labels) signs.push_back(label == wanted ? 1.0 : -1.0);
  return signs;
}

/// The derivative of the objective without the penalty.
LogisticWeights logistic_slopes(CsrView rows, const std::vector<double>& signs, const LogisticWeights& weights) {
  LogisticWeights slopes(weights.size(), 0.0);
  for (std::int32_t i = 0; i < rows.rows(); ++i) {
    const SparseRow row = rows.row(i);
    const double sign = signs[static_cast<std::size_t>(i)];
    const double pull = -sign / (1.0 + std::exp(sign * (dot(row, weights) + weights.back())));
    for (std::size_t n = 0; n < row.size(); ++n)
      slopes[static_cast<std::size_t>(row.features[n])] += pull * static_cast<double>(row.values[n]);
    slopes.back() += pull;
  }
  return slopes;
}

struct RandomQuestion {
  CsrMatrix rows;
  std::vector<std::int32_t> labels;
};

/// Random rows with labels: at least one row has label 7, and at least one has another.
RandomQuestion random_question(RandomStream& random) {
  const std::int32_t count = inkling::test::between(4, 40, random);
  const std::int32_t features = inkling::test::between(1, 12, random);
  RandomQuestion question{inkling::test::random_matrix(
                              {.documents = count, .features = features, .density = 0.5, .degenerate = random.coin(0.5)}, random),
                          {}};
  for (std::int32_t i = 0; i < count; ++i) question.labels.push_back(random.coin(0.4) ? 7 : -1);
  question.labels.front() = 7;
  question.labels.back() = 3;
  return question;
}

TEST_CASE("at a fit no slope exceeds the penalty and so it is the minimum") {
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    CAPTURE(trial);
    RandomStream random = inkling::test::stream_for(11, trial);
    const RandomQuestion question = random_question(random);
    const CsrView rows = question.rows.view();
    const double largest = largest_penalty({rows, question.labels, 7});
    if (largest < 0.1) continue;  // the rows hardly depend on the label
    const double penalty = largest * (0.03 + 0.9 * random.uniform());

    const LogisticWeights found = dense(fit_sparse_logistic({rows, question.labels, 7}, penalty), rows.columns());

    const LogisticWeights slopes = logistic_slopes(rows, signs_of(question.labels, 7), found);
    for (std::size_t j = 0; j < found.size(); ++j) {
      CAPTURE(j);
      const double held = found[j] == 0.0 ? std::fabs(slopes[j]) : -std::copysign(1.0, found[j]) * slopes[j];
      CHECK(held <= penalty + 1e-4 * largest);
      if (found[j] != 0.0) CHECK(held >= penalty - 1e-4 * largest);
    }
  }
}

TEST_CASE("where no row holds a word the constant alone fits the share of the wanted rows") {
  // Of 4 rows 1 is wanted; s = 1 / (1 + exp(-c)) solves 3 s - (1 - s) = 0.5.
  const CsrMatrix rows = matrix_of(2, {{}, {}, {}, {}});
  const SparseLogisticFit fit = fit_sparse_logistic({rows.view(), std::vector<std::int32_t>{0, 1, 0, 0}, 1}, 0.5);
  CHECK(fit.support.empty());
  CHECK(fit.constant == doctest::Approx(std::log(0.375 / 0.625)).epsilon(1e-5));
  CHECK(fit.accuracy == 0.75);
}

TEST_CASE("a word of the wanted rows gets a positive weight whichever row comes first") {
  const CsrMatrix rows = matrix_of(2, {{{0, 1.0F}}, {{1, 1.0F}}, {{0, 1.0F}}, {{1, 1.0F}}});
  const std::vector<std::int32_t> labels = {4, 9, 4, 9};
  for (const std::int32_t wanted : {4, 9}) {
    const SparseLogisticFit fit = fit_sparse_logistic({rows.view(), labels, wanted}, 0.5);
    REQUIRE(fit.support == std::vector<FeatureId>{0, 1});
    CHECK((fit.weights[0] > 0.0) == (wanted == 4));
    CHECK((fit.weights[1] > 0.0) == (wanted == 9));
    CHECK(fit.accuracy == 1.0);
  }
}

TEST_CASE("at the largest penalty no word is kept and just below it at least one") {
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    CAPTURE(trial);
    RandomStream random = inkling::test::stream_for(12, trial);
    const RandomQuestion question = random_question(random);
    const OneAgainstRest asked = {question.rows.view(), question.labels, 7};
    const double largest = largest_penalty(asked);
    if (largest < 0.1) continue;
    const SparseLogisticFit above = fit_sparse_logistic(asked, largest * 1.001);
    CHECK(above.support.empty());
    CHECK(above.constant == 0.0);
    const SparseLogisticFit below = fit_sparse_logistic(asked, largest * 0.98);
    CHECK((!below.support.empty() || below.constant != 0.0));
  }
}

TEST_CASE("repeated and concurrent fits are the same") {
  RandomStream random = inkling::test::stream_for(13);
  const RandomQuestion question = random_question(random);
  const OneAgainstRest asked = {question.rows.view(), question.labels, 7};
  const SparseLogisticFit alone = fit_sparse_logistic(asked, 0.2);
  std::vector<SparseLogisticFit> together(4);
  {
    std::vector<std::jthread> threads;
    for (SparseLogisticFit& fit : together) threads.emplace_back([&fit, &asked] { fit = fit_sparse_logistic(asked, 0.2); });
  }
  for (const SparseLogisticFit& fit : together) {
    CHECK(fit.support == alone.support);
    CHECK(fit.weights == alone.weights);
    CHECK(fit.constant == alone.constant);
  }
}

TEST_CASE("the size of a support is the nearest to the wanted one that neighbouring penalties allow") {
  const test::TopicalRows data = test::topical_rows(3, 15, 20, 150);
  SupportPath path({data.rows.view(), data.labels, 1});
  for (const std::size_t wanted : {1U, 5U, 10U, 20U}) {
    CAPTURE(wanted);
    const SparseLogisticFit* fit = path.support_between({1, 40}, wanted);
    REQUIRE(fit != nullptr);
    CHECK(fit->support.size() + 2 >= wanted);
    CHECK(fit->support.size() <= wanted + 2);
  }
}

TEST_CASE("there is no support if no size lies within the range") {
  const test::TopicalRows data = test::topical_rows(2, 3, 2, 40);
  SupportPath path({data.rows.view(), data.labels, 0});
  CHECK(path.support_between({9, 100}, 9) == nullptr);  // there are 8 words
  CHECK(path.support_between({2, 8}, 4) != nullptr);
}

TEST_CASE("the same size gives the same fit") {
  const test::TopicalRows data = test::topical_rows(2, 10, 5, 60);
  SupportPath path({data.rows.view(), data.labels, 0});
  const SparseLogisticFit* first = path.support_between({2, 20}, 8);
  static_cast<void>(path.support_between({2, 20}, 3));
  CHECK(path.support_between({2, 20}, 8) == first);
  SupportPath fresh({data.rows.view(), data.labels, 0});
  CHECK(fresh.support_between({2, 20}, 8)->support == first->support);
}

}  // namespace
}  // namespace inkling::bench
