// Logistic regression that keeps few features, which an oracle uses as the deciding words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling::bench {

/// The rows of one label against all others. Lifetime: lends both; the labels are by row.
struct OneAgainstRest {
  CsrView rows;
  std::span<const std::int32_t> labels;
  std::int32_t wanted = 0;
};

/// The weights w and the constant c that minimise
/// `penalty` * (|w|_1 + |c|) + sum over rows of ln(1 + exp(-y (x.w + c))), y = +1 for the wanted label, else
/// -1.
struct SparseLogisticFit {
  double penalty = 0.0;
  double constant = 0.0;
  std::vector<FeatureId> support;  ///< the features whose weight is not 0, ascending
  std::vector<double> weights;     ///< of the support's features
  double accuracy = 0.0;           ///< share of the rows it was fitted to that it classifies correctly
};

/// Fits by LIBLINEAR, the solver behind scikit-learn's L1 logistic regression; no other file uses it.
///
/// The constant is penalised like a weight, as in scikit-learn. Without one, words of nearly every row
/// ("subject", "lines") would act as one, because most rows have the other label.
///
/// LIBLINEAR takes coordinates in an order drawn by rand(), the one generator of the process. It is seeded
/// before each fit, so a fit is the same each time unless another thread calls rand() during it, and nothing
/// here does. The order hardly matters either: iterations continue until the violation of the optimality conditions
/// is 1e-6 of that at the start, and on 20 Newsgroups supports were the same for all seeds from 1e-5 on.
///
/// Requires: penalty > 0 and finite; as many labels as rows, some of them wanted and some not.
/// Throws NumericalError if the solver gives numbers that are not finite. Thread safety: any thread; fits
/// wait for each other.
[[nodiscard]] SparseLogisticFit fit_sparse_logistic(const OneAgainstRest& question, double penalty);

/// At this penalty and above, all weights and the constant are 0.
[[nodiscard]] double largest_penalty(const OneAgainstRest& question);

/// How many features a support is to have. Invariant: least <= most.
struct SupportSize {
  std::size_t least = 1;
  std::size_t most = 1;
};

[[nodiscard]] constexpr std::size_t sizes_apart(std::size_t one, std::size_t other) {
  return one < other ? other - one : one - other;
}

/// Fits at penalties that fall in steps of 2^(1/32), from `largest_penalty` to 1/4096 of it. Fits are kept, so a later call
/// computes only new ones. Thread safety: one thread at a time.
/// Lifetime: lends what the question does; a fit lives as long as the path.
class SupportPath {
 public:
  explicit SupportPath(const OneAgainstRest& question);

  /// Bisection finds the two fits around `wanted` features. Returns the one whose support is nearer and of a size within the
  /// range; nullptr if neither is within.
  [[nodiscard]] const SparseLogisticFit* support_between(SupportSize size, std::size_t wanted);

 private:
  [[nodiscard]] const SparseLogisticFit& at(int step);

  OneAgainstRest question_;
  double largest_penalty_;
  std::map<int, SparseLogisticFit> fits_;  // by step
};

}  // namespace inkling::bench
