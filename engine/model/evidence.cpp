#include "engine/model/evidence.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "engine/core/portable_math.hpp"
#include "engine/model/dense_kernels.hpp"

namespace inkling {
namespace {

/// Overwrites the matrix with L, where L L' is the matrix, and `right` with L^-1 right. Returns ln det of the matrix. Reads only
/// its lower triangle.
double factor_and_solve(std::vector<double>& matrix, std::vector<double>& right) {
  const std::size_t m = right.size();
  double log_det = 0.0;
  for (std::size_t i = 0; i < m; ++i) {
    double* const row = matrix.data() + i * m;
    for (std::size_t j = 0; j < i; ++j) {
      const double* const other = matrix.data() + j * m;
      row[j] = (row[j] - dot(row, other, j)) / other[j];
    }
    const double pivot = row[i] - dot(row, row, i);
    row[i] = std::sqrt(pivot);
    log_det += natural_log(pivot);
    right[i] = (right[i] - dot(row, right.data(), i)) / row[i];
  }
  return log_det;
}

double sum_of_squares(const std::vector<double>& numbers) { return dot(numbers.data(), numbers.data(), numbers.size()); }

}  // namespace

EvidenceOfRewards::EvidenceOfRewards(const PlayedDocuments& played) : played_(&played) {
  for (const PlayedDocument& one : played.in_order()) squares_ += one.reward_squares;
  if (!by_features()) return;
  const auto m = static_cast<std::size_t>(played.columns());
  gram_.assign(m * m, 0.0);
  right_.assign(m, 0.0);
  for (std::size_t place = 0; place < played.in_order().size(); ++place) {
    const PlayedDocument& one = played.in_order()[place];
    const SparseRow row = played.row(place);
    for (std::size_t a = 0; a < row.size(); ++a) {
      const auto i = static_cast<std::size_t>(row.features[a]);
      const auto value = static_cast<double>(row.values[a]);
      right_[i] += value * one.reward_sum.value();
      for (std::size_t b = 0; b <= a; ++b)
        gram_[i * m + static_cast<std::size_t>(row.features[b])] += one.weight * value * static_cast<double>(row.values[b]);
    }
  }
}

std::vector<Evidence> EvidenceOfRewards::of(std::span<const double> pattern, std::span<const double> scales) const {
  assert(pattern.size() == static_cast<std::size_t>(played_->columns()));
  std::vector<Evidence> evidence;
  evidence.reserve(scales.size());
  const std::vector<double> kernel_of_one = by_features() ? std::vector<double>() : kernel(pattern);
  for (const double scale : scales)
    evidence.push_back(by_features() ? by_features(pattern, scale) : by_documents(kernel_of_one, scale));
  return evidence;
}

Evidence EvidenceOfRewards::by_features(std::span<const double> pattern, double scale) const {
  std::vector<double> matrix = gram_;
  std::vector<double> right = right_;
  double log_prior = 0.0;
  for (std::size_t j = 0; j < pattern.size(); ++j) {
    matrix[j * pattern.size() + j] += scale * pattern[j];
    log_prior += natural_log(scale * pattern[j]);
  }
  const double log_det = factor_and_solve(matrix, right) - log_prior;
  return evidence(squares_, sum_of_squares(right), log_det);
}

/// X diag(1 / pattern) X', lower triangle.
std::vector<double> EvidenceOfRewards::kernel(std::span<const double> pattern) const {
  const std::size_t n = played_->in_order().size();
  std::vector<double> kernel(n * n, 0.0);
  std::vector<double> spread(pattern.size(), 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const SparseRow row = played_->row(i);
    for (std::size_t a = 0; a < row.size(); ++a) {
      const auto j = static_cast<std::size_t>(row.features[a]);
      spread[j] = static_cast<double>(row.values[a]) / pattern[j];
    }
    for (std::size_t other = 0; other <= i; ++other) kernel[i * n + other] = inkling::dot(played_->row(other), spread);
    for (const FeatureId feature : row.features) spread[static_cast<std::size_t>(feature)] = 0.0;
  }
  return kernel;
}

/// Let w be the plays of each document, m their mean rewards and K = diag(1 / w) + X diag(1 / precision) X'. Then ln
/// det A - sum ln precision = ln det K + sum ln w, and y'y - r'A^-1 r = (y'y - sum w m^2) + m'K^-1 m.
Evidence EvidenceOfRewards::by_documents(std::span<const double> kernel, double scale) const {
  const std::size_t n = played_->in_order().size();
  std::vector<double> matrix(kernel.begin(), kernel.end());
  for (double& entry : matrix) entry /= scale;
  std::vector<double> right;
  right.reserve(n);
  double within = squares_;
  double log_weights = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const PlayedDocument& one = played_->in_order()[i];
    const double mean = one.reward_sum.value() / one.weight;
    matrix[i * n + i] += 1.0 / one.weight;
    log_weights += natural_log(one.weight);
    within -= mean * one.reward_sum.value();
    right.push_back(mean);
  }
  const double log_det = factor_and_solve(matrix, right) + log_weights;
  return evidence(std::max(within, 0.0) + sum_of_squares(right), 0.0, log_det);
}

Evidence EvidenceOfRewards::evidence(double explained_by_none, double explained, double log_det) const noexcept {
  const auto rewards = static_cast<double>(played_->plays()) + 1.0;
  const double left = std::max(explained_by_none - explained, 0.0) + kPriorSquare;
  return {.log_likelihood = -0.5 * rewards * natural_log(left) - 0.5 * log_det, .noise_square = left / rewards};
}

}  // namespace inkling
