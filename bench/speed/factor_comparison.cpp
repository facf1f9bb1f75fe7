#include "bench/speed/factor_comparison.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace inkling::bench {
namespace {

double time_rebuilds(const FactorWorkload& workload, Seconds budget, CholeskyFactor& factor) {
  std::vector<double> samples;
  for (double spent = 0.0; spent < budget.count(); spent += samples.back()) {
    samples.push_back(seconds_of([&] { workload.rebuild(factor); }));
  }
  return median(std::move(samples));
}

/// Requires: a factor of the workload's size. Births use up the room that a rebuild makes.
double time_births(const FactorWorkload& workload, Seconds budget, CholeskyFactor& factor) {
  std::vector<double> samples;
  for (double spent = 0.0; spent < budget.count();) {
    for (const FactorBirth& birth : workload.births) {
      samples.push_back(seconds_of([&] { factor.append(birth.b, birth.c); }));
      spent += samples.back();
    }
    spent += seconds_of([&] { workload.rebuild(factor); });
  }
  return median(std::move(samples));
}

FactorTimes time_factor(const FactorWorkload& workload, Seconds budget, CholeskyFactor& factor) {
  FactorTimes times;
  times.rebuild = time_rebuilds(workload, budget, factor);
  std::vector<double> solution(static_cast<std::size_t>(workload.size));
  std::size_t next = 0;
  const auto next_row = [&] { return workload.upcoming.row(next++ % workload.upcoming.size()); };
  times.solve = median_seconds(budget, [&] { factor.solve(next_row(), solution); });
  times.update = median_seconds(budget, [&] { factor.update(next_row()); });
  times.birth = time_births(workload, budget, factor);
  return times;
}

}  // namespace

FactorComparison compare_factors(const FactorWorkload& workload, Seconds budget) {
  const auto cholmod = make_cholesky_factor(FactorKind::cholmod);
  const auto dense = make_cholesky_factor(FactorKind::dense);
  FactorComparison comparison;
  comparison.cholmod = time_factor(workload, budget, *cholmod);
  comparison.dense = time_factor(workload, budget, *dense);
  const auto size = static_cast<double>(workload.size);
  const double triangle = 0.5 * size * (size - 1.0);
  comparison.fill = triangle > 0.0 ? static_cast<double>(cholmod->stored_entries()) / triangle : 1.0;
  comparison.words_a_row =
      static_cast<double>(workload.upcoming.entries()) / static_cast<double>(workload.upcoming.size());
  return comparison;
}

}  // namespace inkling::bench
