#include "tests/support/reference_classifier.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace inkling::test {
namespace {

using bench::ClassifierExample;
using bench::ClassifierLoss;

double margin_of(const ClassifierExample& example, const ClassifierWeights& weights) {
  return example.side * (dot(example.row, weights) + example.constant * weights.back());
}

double length_of(const ClassifierWeights& weights) {
  double square = 0.0;
  for (const double weight : weights) square += weight * weight;
  return std::sqrt(square);
}

/// No step of the slope is larger than this many times what one has moved.
double steepest(std::span<const ClassifierExample> examples) {
  constexpr double largest_curvature = 2.0;  // of the squared hinge; 1/4 of the logistic loss
  double sum = 1.0;
  for (const ClassifierExample& example : examples)
    sum +=
        largest_curvature * example.cost * (squared_norm(example.row) + example.constant * example.constant);
  return sum;
}

}  // namespace

double classifier_objective(ClassifierLoss loss, std::span<const ClassifierExample> examples,
                            const ClassifierWeights& weights) {
  const double length = length_of(weights);
  double sum = 0.5 * length * length;
  for (const ClassifierExample& example : examples) {
    const double z = margin_of(example, weights);
    const double missing = std::max(0.0, 1.0 - z);
    const double lost = loss == ClassifierLoss::logistic
                            ? std::max(0.0, -z) + std::log1p(std::exp(-std::fabs(z)))
                            : missing * missing;
    sum += example.cost * lost;
  }
  return sum;
}

ClassifierWeights classifier_slope(ClassifierLoss loss, std::span<const ClassifierExample> examples,
                                   const ClassifierWeights& weights) {
  ClassifierWeights slope = weights;
  for (const ClassifierExample& example : examples) {
    const double z = margin_of(example, weights);
    const double of_loss =
        loss == ClassifierLoss::logistic ? -1.0 / (1.0 + std::exp(z)) : -2.0 * std::max(0.0, 1.0 - z);
    const double pull = example.cost * of_loss * example.side;
    for (std::size_t n = 0; n < example.row.size(); ++n) {
      slope[static_cast<std::size_t>(example.row.features[n])] +=
          pull * static_cast<double>(example.row.values[n]);
    }
    slope.back() += pull * example.constant;
  }
  return slope;
}

// Nesterov's momentum for an objective whose curvature lies between 1 and `steepest`.
ClassifierWeights reference_classifier(ClassifierLoss loss, std::span<const ClassifierExample> examples,
                                       std::int32_t features) {
  constexpr int most_steps = 100000;
  constexpr double still = 1e-11;
  const double largest = steepest(examples);
  const double momentum = (std::sqrt(largest) - 1.0) / (std::sqrt(largest) + 1.0);
  ClassifierWeights weights(static_cast<std::size_t>(features) + 1, 0.0);
  ClassifierWeights before = weights;
  for (int n = 0; n < most_steps; ++n) {
    ClassifierWeights ahead(weights.size());
    for (std::size_t j = 0; j < ahead.size(); ++j)
      ahead[j] = weights[j] + momentum * (weights[j] - before[j]);
    const ClassifierWeights slope = classifier_slope(loss, examples, ahead);
    before = weights;
    for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = ahead[j] - slope[j] / largest;
    if (length_of(classifier_slope(loss, examples, weights)) < still) break;
  }
  return weights;
}

}  // namespace inkling::test
