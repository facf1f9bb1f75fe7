#include "bench/paper/data/sparse_logistic.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <mutex>

#include <linear.h>

#include "engine/core/errors.hpp"
#include "engine/core/portable_math.hpp"

namespace inkling::bench {
namespace {

constexpr double kTolerance = 1e-6;
constexpr unsigned kSeed = 1;

struct ModelDeleter {
  void operator()(model* fitted) const { free_and_destroy_model(&fitted); }
};
using Model = std::unique_ptr<model, ModelDeleter>;

/// LIBLINEAR's random generator and its function for printing belong to the whole process, so fits run one at a time.
Model train_alone(const problem& data, const parameter& how) {
  static std::mutex one_fit_at_a_time;
  const std::scoped_lock lock(one_fit_at_a_time);
  set_print_string_function([](const char*) {});
  std::srand(kSeed);
  return Model(train(&data, &how));
}

std::vector<double> signs_of(const OneAgainstRest& question) {
  assert(question.labels.size() == static_cast<std::size_t>(question.rows.rows()));
  std::vector<double> signs;
  signs.reserve(question.labels.size());
  for (const std::int32_t label : question.labels) signs.push_back(label == question.wanted ? 1.0 : -1.0);
  return signs;
}

/// The features whose weight might not be 0, ascending. With weights of the rows from 0 to 1, the slope of the loss at
/// a feature's weight is at most the sum of the terms that raise it, or of those that lower it. If neither sum exceeds
/// the penalty, the weight is 0. Most words are so rare that this rules them out.
std::vector<FeatureId> features_in_question(CsrView rows, const std::vector<double>& signs, double penalty) {
  struct Pull {
    double up = 0.0;
    double down = 0.0;
  };
  std::vector<Pull> pulls(static_cast<std::size_t>(rows.columns()));
  for (std::int32_t i = 0; i < rows.rows(); ++i) {
    const SparseRow row = rows.row(i);
    for (std::size_t n = 0; n < row.size(); ++n) {
      Pull& pull = pulls[static_cast<std::size_t>(row.features[n])];
      const double value = signs[static_cast<std::size_t>(i)] * static_cast<double>(row.values[n]);
      (value > 0.0 ? pull.up : pull.down) += std::fabs(value);
    }
  }
  // Sums are rounded, so features close to the limit stay in.
  constexpr double brink = 1.0 - 1e-9;
  std::vector<FeatureId> features;
  for (FeatureId j = 0; j < rows.columns(); ++j) {
    const Pull& pull = pulls[static_cast<std::size_t>(j)];
    if (std::max(pull.up, pull.down) >= penalty * brink) features.push_back(j);
  }
  return features;
}

/// Rows in LIBLINEAR's format: some features, numbered from 1, then a 1 for the constant. A feature of -1 ends a row.
class Nodes {
 public:
  Nodes(CsrView rows, const std::vector<FeatureId>& features) {
    std::vector<int> numbers(static_cast<std::size_t>(rows.columns()), 0);
    for (std::size_t n = 0; n < features.size(); ++n) numbers[static_cast<std::size_t>(features[n])] = static_cast<int>(n) + 1;
    const int constant = static_cast<int>(features.size()) + 1;
    // An upper bound, so that entries are never moved.
    entries_.reserve(static_cast<std::size_t>(rows.nonzeros() + 2 * std::int64_t{rows.rows()}));
    for (std::int32_t i = 0; i < rows.rows(); ++i) {
      rows_.push_back(entries_.data() + entries_.size());
      const SparseRow row = rows.row(i);
      for (std::size_t n = 0; n < row.size(); ++n) {
        const int number = numbers[static_cast<std::size_t>(row.features[n])];
        if (number != 0) entries_.push_back({number, static_cast<double>(row.values[n])});
      }
      entries_.push_back({constant, 1.0});
      entries_.push_back({-1, 0.0});
    }
  }

  [[nodiscard]] feature_node** rows() { return rows_.data(); }

 private:
  std::vector<feature_node> entries_;
  std::vector<feature_node*> rows_;
};

/// Trains, and returns the weights of these features and then the constant.
std::vector<double> trained_weights(CsrView rows, const std::vector<FeatureId>& features, std::vector<double> signs,
                                    double penalty) {
  Nodes nodes(rows, features);
  problem data = {};
  data.l = rows.rows();
  data.n = static_cast<int>(features.size()) + 1;
  data.y = signs.data();
  data.x = nodes.rows();
  data.bias = 1.0;
  parameter how = {};
  how.solver_type = L1R_LR;
  how.eps = kTolerance;
  how.C = 1.0 / penalty;
  const Model fitted = train_alone(data, how);
  const double side = fitted->label[0] == 1 ? 1.0 : -1.0;  // the weights speak for the first class
  std::vector<double> weights(fitted->w, fitted->w + data.n);
  for (double& weight : weights) {
    if (!std::isfinite(weight)) throw NumericalError("a logistic regression gave a weight that is not finite");
    weight *= side;
  }
  return weights;
}

double share_on_their_side(CsrView rows, const std::vector<double>& signs, const SparseLogisticFit& fit) {
  std::vector<double> weights(static_cast<std::size_t>(rows.columns()), 0.0);
  for (std::size_t n = 0; n < fit.support.size(); ++n) weights[static_cast<std::size_t>(fit.support[n])] = fit.weights[n];
  std::int64_t right = 0;
  for (std::int32_t i = 0; i < rows.rows(); ++i) {
    const bool above = fit.constant + dot(rows.row(i), weights) > 0.0;
    right += above == (signs[static_cast<std::size_t>(i)] > 0.0) ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(rows.rows());
}

constexpr int kStepsToHalf = 32;
constexpr int kLastStep = 12 * kStepsToHalf;

}  // namespace

SparseLogisticFit fit_sparse_logistic(const OneAgainstRest& question, double penalty) {
  assert(penalty > 0.0 && std::isfinite(penalty));
  const std::vector<double> signs = signs_of(question);
  const std::vector<FeatureId> features = features_in_question(question.rows, signs, penalty);
  const std::vector<double> weights = trained_weights(question.rows, features, signs, penalty);
  SparseLogisticFit fit;
  fit.penalty = penalty;
  fit.constant = weights.back();
  for (std::size_t n = 0; n < features.size(); ++n) {
    if (weights[n] == 0.0) continue;
    fit.support.push_back(features[n]);
    fit.weights.push_back(weights[n]);
  }
  fit.accuracy = share_on_their_side(question.rows, signs, fit);
  return fit;
}

double largest_penalty(const OneAgainstRest& question) {
  const std::vector<double> signs = signs_of(question);
  std::vector<double> slopes(static_cast<std::size_t>(question.rows.columns()), 0.0);
  double constant_slope = 0.0;
  for (std::int32_t i = 0; i < question.rows.rows(); ++i) {
    const SparseRow row = question.rows.row(i);
    const double half = 0.5 * signs[static_cast<std::size_t>(i)];
    constant_slope += half;
    for (std::size_t n = 0; n < row.size(); ++n)
      slopes[static_cast<std::size_t>(row.features[n])] += half * static_cast<double>(row.values[n]);
  }
  double largest = std::fabs(constant_slope);
  for (const double slope : slopes) largest = std::max(largest, std::fabs(slope));
  return largest;
}

SupportPath::SupportPath(const OneAgainstRest& question) : question_(question), largest_penalty_(largest_penalty(question)) {}

const SparseLogisticFit& SupportPath::at(int step) {
  const auto found = fits_.find(step);
  if (found != fits_.end()) return found->second;
  constexpr double log_step = 0.69314718055994530942 / kStepsToHalf;
  const double penalty = largest_penalty_ * exponential(-log_step * step);
  return fits_.emplace(step, fit_sparse_logistic(question_, penalty)).first->second;
}

const SparseLogisticFit* SupportPath::support_between(SupportSize size, std::size_t wanted) {
  // Supports grow as the penalty falls, though not at every step.
  int too_few = 0;
  int enough = kLastStep;
  while (enough - too_few > 1) {
    const int middle = too_few + (enough - too_few) / 2;
    if (at(middle).support.size() < wanted)
      too_few = middle;
    else
      enough = middle;
  }
  const SparseLogisticFit* best = nullptr;
  for (const int step : {too_few, enough}) {
    const SparseLogisticFit& fit = at(step);
    const std::size_t features = fit.support.size();
    if (features < size.least || features > size.most) continue;
    if (best == nullptr || sizes_apart(features, wanted) < sizes_apart(best->support.size(), wanted)) best = &fit;
  }
  return best;
}

}  // namespace inkling::bench
