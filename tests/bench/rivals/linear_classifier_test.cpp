#include "bench/rivals/linear_classifier.hpp"

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling::bench {
namespace {

constexpr std::uint64_t kClassifierSeed = 1431;

/// The weights of all features, then the constant.
using ClassifierWeights = std::vector<double>;

ClassifierWeights weights_of(const LinearClassifier& fitted) {
  ClassifierWeights weights(fitted.weights().begin(), fitted.weights().end());
  weights.push_back(fitted.constant());
  return weights;
}

double norm_of(const std::vector<double>& vector) {
  double square = 0.0;
  for (const double entry : vector) square += entry * entry;
  return std::sqrt(square);
}

double margin_of(const ClassifierExample& example, const ClassifierWeights& weights) {
  return example.side * (dot(example.row, weights) + example.constant * weights.back());
}

/// (|w|^2 + c^2) / 2 + sum of cost * loss(side * (x.w + c * constant)), of the squared hinge.
double hinge_objective(const std::vector<ClassifierExample>& examples, const ClassifierWeights& weights) {
  double sum = 0.5 * norm_of(weights) * norm_of(weights);
  for (const ClassifierExample& example : examples) {
    const double missing = std::max(0.0, 1.0 - margin_of(example, weights));
    sum += example.cost * missing * missing;
  }
  return sum;
}

/// The derivative of the objective. The curvature is at least 1 in every direction, so its length bounds the distance to the
/// minimum.
ClassifierWeights classifier_slope(ClassifierLoss loss, const std::vector<ClassifierExample>& examples,
                                   const ClassifierWeights& weights) {
  ClassifierWeights slope = weights;
  for (const ClassifierExample& example : examples) {
    const double z = margin_of(example, weights);
    const double of_loss = loss == ClassifierLoss::logistic ? -1.0 / (1.0 + std::exp(z)) : -2.0 * std::max(0.0, 1.0 - z);
    const double pull = example.cost * of_loss * example.side;
    for (std::size_t n = 0; n < example.row.size(); ++n)
      slope[static_cast<std::size_t>(example.row.features[n])] += pull * static_cast<double>(example.row.values[n]);
    slope.back() += pull * example.constant;
  }
  return slope;
}

/// An upper bound on the slope where all weights are 0.
double largest_slope(ClassifierLoss loss, const std::vector<ClassifierExample>& examples) {
  double sum = 0.0;
  for (const ClassifierExample& example : examples) {
    const double square = squared_norm(example.row) + example.constant * example.constant;
    sum += example.cost * (loss == ClassifierLoss::logistic ? 0.5 : 2.0) * std::sqrt(square);
  }
  return sum;
}

/// Random rows on either side, some twice, some without a constant, some without a cost.
std::vector<ClassifierExample> random_examples(CsrView rows, RandomStream& random, double highest_cost) {
  std::vector<ClassifierExample> examples;
  const std::int32_t count = test::between(0, 2 * rows.rows(), random);
  for (std::int32_t n = 0; n < count; ++n) {
    ClassifierExample example = {.row = rows.row(test::between(0, rows.rows() - 1, random)),
                                 .side = random.coin(0.4) ? 1.0 : -1.0,
                                 .cost = random.coin(0.1) ? 0.0 : highest_cost * random.uniform(),
                                 .constant = random.coin(0.2) ? 0.0 : 1.0};
    examples.push_back(example);
  }
  return examples;
}

TEST_CASE("the weights of one example equal a calculation by hand") {
  const CsrMatrix rows = test::matrix_of(3, {{{1, 2.0F}}});
  const std::vector<ClassifierExample> one = {{.row = rows.view().row(0), .cost = 0.5, .constant = 0.0}};
  LinearClassifier svm(3, {.loss = ClassifierLoss::squared_hinge, .accuracy = 1e-12});
  svm.fit(one);
  // w^2 / 2 + (1 - 2w)^2 / 2 has its minimum where w = 2 (1 - 2w).
  CHECK(svm.weights()[1] == doctest::Approx(0.4).epsilon(1e-12));
  CHECK(svm.weights()[0] == 0.0);
  CHECK(svm.constant() == 0.0);
  LinearClassifier logistic(3, {.accuracy = 1e-12});
  logistic.fit(one);
  const double weight = logistic.weights()[1];  // w = 1 / (1 + e^(2w))
  CHECK(weight == doctest::Approx(1.0 / (1.0 + std::exp(2.0 * weight))).epsilon(1e-10));
}

TEST_CASE("fits are within 1e-7 of the minimum in thousands of random cases") {
  test::each_case(kClassifierSeed, 2000, [&](RandomStream& random) {
    const CsrMatrix rows = test::random_matrix({.documents = 6, .features = 5, .degenerate = true}, random);
    const std::vector<ClassifierExample> examples = random_examples(rows.view(), random, 2.0);
    const ClassifierLoss loss = random.coin(0.5) ? ClassifierLoss::logistic : ClassifierLoss::squared_hinge;
    LinearClassifier fitted(5, {.loss = loss, .accuracy = 1e-10});
    fitted.fit(examples);
    REQUIRE(norm_of(classifier_slope(loss, examples, weights_of(fitted))) <= 1e-7);
  });
}

TEST_CASE("the slope at a fit is as small as requested with high costs and wild values") {
  test::each_case(kClassifierSeed + 1, 500, [&](RandomStream& random) {
    const bool wild = random.coin(0.5);
    const CsrMatrix rows = test::random_matrix({.documents = 12, .features = 8, .degenerate = true, .wild_values = wild}, random);
    const std::vector<ClassifierExample> examples = random_examples(rows.view(), random, 100.0);
    const bool logistic = wild || random.coin(0.5);
    const ClassifierLoss loss = logistic ? ClassifierLoss::logistic : ClassifierLoss::squared_hinge;
    LinearClassifier fitted(8, {.loss = loss});
    fitted.fit(examples);
    const double slope = norm_of(classifier_slope(loss, examples, weights_of(fitted)));
    REQUIRE(slope <= 1.001e-5 * largest_slope(loss, examples));
  });
}

TEST_CASE("a squared hinge on wild values ends near the minimum of its objective") {
  constexpr ClassifierLoss loss = ClassifierLoss::squared_hinge;
  test::each_case(kClassifierSeed + 3, 300, [&](RandomStream& random) {
    const CsrMatrix rows = test::random_matrix({.documents = 12, .features = 8, .degenerate = true, .wild_values = true}, random);
    const std::vector<ClassifierExample> examples = random_examples(rows.view(), random, 100.0);
    LinearClassifier fitted(8, {.loss = loss});
    fitted.fit(examples);
    const ClassifierWeights found = weights_of(fitted);
    const double reached = hinge_objective(examples, found);
    REQUIRE(std::isfinite(reached));
    const double nothing_learned = hinge_objective(examples, ClassifierWeights(9, 0.0));
    for (int n = 0; n < 50; ++n) {
      ClassifierWeights other = found;
      for (double& weight : other) weight += 0.01 * random.normal() * std::fabs(weight);
      REQUIRE(reached <= 1.05 * hinge_objective(examples, other) + 1e-6 * nothing_learned);
    }
  });
}

TEST_CASE("a fit that starts from other examples ends at the same weights") {
  RandomStream random = test::stream_for(kClassifierSeed + 2);
  const CsrMatrix rows = test::random_matrix({.documents = 20, .features = 10, .density = 0.3}, random);
  for (const ClassifierLoss loss : {ClassifierLoss::logistic, ClassifierLoss::squared_hinge}) {
    LinearClassifier used(10, {.loss = loss, .accuracy = 1e-10});
    for (int n = 0; n < 30; ++n) {
      const std::vector<ClassifierExample> examples = random_examples(rows.view(), random, 3.0);
      used.fit(examples);
      LinearClassifier fresh(10, {.loss = loss, .accuracy = 1e-10});
      fresh.fit(examples);
      const ClassifierWeights right = weights_of(fresh);
      const ClassifierWeights found = weights_of(used);
      for (std::size_t j = 0; j < right.size(); ++j) REQUIRE(std::fabs(found[j] - right[j]) <= 1e-7);
    }
  }
}

TEST_CASE("without examples or with empty rows alone the weights are 0") {
  LinearClassifier fitted(4, {});
  const CsrMatrix rows = test::matrix_of(4, {{{0, 1.0F}}, {}});
  fitted.fit(std::vector<ClassifierExample>{{.row = rows.view().row(0)}});
  CHECK(fitted.weights()[0] > 0.1);
  CHECK(fitted.constant() > 0.1);
  fitted.fit({});
  CHECK(std::ranges::all_of(fitted.weights(), [](double weight) { return weight == 0.0; }));
  CHECK(std::fabs(fitted.constant()) < 1e-12);
  fitted.fit(std::vector<ClassifierExample>{{.row = rows.view().row(1), .constant = 0.0}});
  CHECK(std::ranges::all_of(fitted.weights(), [](double weight) { return weight == 0.0; }));
}

TEST_CASE("an example with twice the cost counts as two examples") {
  const CsrMatrix rows = test::matrix_of(2, {{{0, 1.0F}, {1, 0.5F}}, {{1, 1.0F}}});
  LinearClassifier twice(2, {.accuracy = 1e-12});
  LinearClassifier costly(2, {.accuracy = 1e-12});
  const ClassifierExample wanted = {.row = rows.view().row(0)};
  const ClassifierExample useless = {.row = rows.view().row(1), .side = -1.0};
  twice.fit(std::vector<ClassifierExample>{wanted, wanted, useless});
  costly.fit(std::vector<ClassifierExample>{{.row = wanted.row, .cost = 2.0}, useless});
  CHECK(twice.weights()[0] == doctest::Approx(costly.weights()[0]).epsilon(1e-9));
  CHECK(twice.weights()[1] == doctest::Approx(costly.weights()[1]).epsilon(1e-9));
}

}  // namespace
}  // namespace inkling::bench
