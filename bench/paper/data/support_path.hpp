// The supports that one logistic regression has as its penalty falls, fitted where somebody asks.
#pragma once

#include <cstddef>
#include <map>

#include "bench/paper/data/sparse_logistic.hpp"

namespace inkling::bench {

/// How many features a support is to have. Invariant: least <= most.
struct SupportSize {
  std::size_t least = 1;
  std::size_t most = 1;
};

/// Penalties fall from the largest that has an effect by 1/32 of a factor of two a step, to 1/4096 of it.
/// Fits are kept, so that a later question costs only what it adds. Thread safety: one thread at a time.
/// Lifetime: lends what the question does; a fit lives as long as the path.
class SupportPath {
 public:
  explicit SupportPath(const OneAgainstRest& question);

  /// The fit whose support comes nearest to `wanted` features of those around it that bisection finds, or
  /// nullptr where neither has a size within the range.
  [[nodiscard]] const SparseLogisticFit* support_between(SupportSize size, std::size_t wanted);

 private:
  [[nodiscard]] const SparseLogisticFit& at(int step);

  OneAgainstRest question_;
  double largest_penalty_;
  std::map<int, SparseLogisticFit> fits_;  // by step
};

}  // namespace inkling::bench
