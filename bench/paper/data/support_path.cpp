#include "bench/paper/data/support_path.hpp"

#include "engine/core/portable_math.hpp"

namespace inkling::bench {
namespace {

constexpr int steps_to_half = 32;
constexpr int last_step = 12 * steps_to_half;

std::size_t sizes_apart(std::size_t one, std::size_t other) { return one < other ? other - one : one - other; }

}  // namespace

SupportPath::SupportPath(const OneAgainstRest& question)
    : question_(question), largest_penalty_(largest_penalty(question)) {}

const SparseLogisticFit& SupportPath::at(int step) {
  const auto found = fits_.find(step);
  if (found != fits_.end()) return found->second;
  constexpr double log_step = 0.69314718055994530942 / steps_to_half;
  const double penalty = largest_penalty_ * exponential(-log_step * step);
  return fits_.emplace(step, fit_sparse_logistic(question_, penalty)).first->second;
}

const SparseLogisticFit* SupportPath::support_between(SupportSize size, std::size_t wanted) {
  // Supports grow as the penalty falls, though not at every step.
  int too_few = 0;
  int enough = last_step;
  while (enough - too_few > 1) {
    const int middle = too_few + (enough - too_few) / 2;
    if (at(middle).support.size() < wanted) {
      too_few = middle;
    } else {
      enough = middle;
    }
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
