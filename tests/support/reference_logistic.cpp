#include "tests/support/reference_logistic.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace inkling::test {
namespace {

double margin(CsrView rows, std::span<const double> signs, const LogisticWeights& weights, std::int32_t i) {
  return signs[static_cast<std::size_t>(i)] * (dot(rows.row(i), weights) + weights.back());
}

double shrunk(double weight, double by) {
  return weight > by ? weight - by : weight < -by ? weight + by : 0.0;
}

}  // namespace

double logistic_objective(CsrView rows, std::span<const double> signs, const LogisticWeights& weights,
                          double penalty) {
  double sum = 0.0;
  for (const double weight : weights) sum += penalty * std::fabs(weight);
  for (std::int32_t i = 0; i < rows.rows(); ++i) {
    const double its_margin = margin(rows, signs, weights, i);
    sum += std::max(0.0, -its_margin) + std::log1p(std::exp(-std::fabs(its_margin)));
  }
  return sum;
}

LogisticWeights logistic_slopes(CsrView rows, std::span<const double> signs, const LogisticWeights& weights) {
  LogisticWeights slopes(weights.size(), 0.0);
  for (std::int32_t i = 0; i < rows.rows(); ++i) {
    const double pull =
        -signs[static_cast<std::size_t>(i)] / (1.0 + std::exp(margin(rows, signs, weights, i)));
    const SparseRow row = rows.row(i);
    for (std::size_t n = 0; n < row.size(); ++n)
      slopes[static_cast<std::size_t>(row.features[n])] += pull * static_cast<double>(row.values[n]);
    slopes.back() += pull;
  }
  return slopes;
}

// Nesterov's momentum, set back to zero after each step that went upwards (O'Donoghue and Candes).
LogisticWeights reference_logistic(CsrView rows, std::span<const double> signs, double penalty) {
  constexpr int most_steps = 20000;
  constexpr double still = 1e-12;
  double squares = static_cast<double>(rows.rows());
  for (const float value : rows.values()) squares += static_cast<double>(value) * static_cast<double>(value);
  const double step = 4.0 / squares;
  LogisticWeights weights(static_cast<std::size_t>(rows.columns()) + 1, 0.0);
  LogisticWeights ahead = weights;
  double momentum = 1.0;
  for (int n = 0; n < most_steps; ++n) {
    const LogisticWeights slopes = logistic_slopes(rows, signs, ahead);
    LogisticWeights next(weights.size());
    for (std::size_t j = 0; j < next.size(); ++j)
      next[j] = shrunk(ahead[j] - step * slopes[j], step * penalty);
    double uphill = 0.0;
    double moved = 0.0;
    for (std::size_t j = 0; j < next.size(); ++j) {
      uphill += (ahead[j] - next[j]) * (next[j] - weights[j]);
      moved = std::max(moved, std::fabs(next[j] - weights[j]));
    }
    const double grown = uphill > 0.0 ? 1.0 : 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
    const double push = uphill > 0.0 ? 0.0 : (momentum - 1.0) / grown;
    for (std::size_t j = 0; j < next.size(); ++j) ahead[j] = next[j] + push * (next[j] - weights[j]);
    momentum = grown;
    weights = next;
    if (moved < still && push == 0.0) break;
  }
  return weights;
}

}  // namespace inkling::test
