// The operations of both Cholesky factors, on text-like rows: 1 to 30 % of the documents hold a word, 300
// were played.
#include <cstddef>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/speed/factor_workload.hpp"
#include "bench/speed/stopwatch.hpp"

namespace inkling::bench {
namespace {

constexpr std::int32_t kPlayed = 300;
constexpr FrequencyBand kBand = {0.01, 0.3};

FactorWorkload workload_of(const benchmark::State& state) {
  return make_factor_workload(static_cast<std::int32_t>(state.range(0)), kPlayed, kBand, 1);
}

void rank_one_update(benchmark::State& state, FactorKind kind) {
  const FactorWorkload workload = workload_of(state);
  const auto factor = make_cholesky_factor(kind);
  workload.rebuild(*factor);
  std::size_t next = 0;
  for (auto _ : state) factor->update(workload.upcoming.row(next++ % workload.upcoming.size()));
}

void solve(benchmark::State& state, FactorKind kind) {
  const FactorWorkload workload = workload_of(state);
  const auto factor = make_cholesky_factor(kind);
  workload.rebuild(*factor);
  std::vector<double> solution(static_cast<std::size_t>(workload.size));
  std::size_t next = 0;
  for (auto _ : state) {
    factor->solve(workload.upcoming.row(next++ % workload.upcoming.size()), solution);
    benchmark::DoNotOptimize(solution.data());
  }
}

/// One step a birth; the rebuild that makes room for the next few is not counted.
void birth(benchmark::State& state, FactorKind kind) {
  const FactorWorkload workload = workload_of(state);
  const auto factor = make_cholesky_factor(kind);
  std::size_t next = 0;
  for (auto _ : state) {
    if (next % workload.births.size() == 0) workload.rebuild(*factor);
    const FactorBirth& born = workload.births[next++ % workload.births.size()];
    state.SetIterationTime(seconds_of([&] { factor->append(born.b, born.c); }));
  }
}

/// One step a removal from the middle; the rebuild once an eighth is gone is not counted.
void removal(benchmark::State& state, FactorKind kind) {
  const FactorWorkload workload = workload_of(state);
  const auto factor = make_cholesky_factor(kind);
  workload.rebuild(*factor);
  for (auto _ : state) {
    if (factor->size() <= workload.size * 7 / 8) workload.rebuild(*factor);
    state.SetIterationTime(seconds_of([&] { factor->remove(factor->size() / 2); }));
  }
}

void sizes(benchmark::internal::Benchmark* registered) {
  for (const int size : {10, 30, 100, 300, 1000}) registered->Arg(size);
  registered->ArgName("m")->Unit(benchmark::kMicrosecond);
}

BENCHMARK_CAPTURE(rank_one_update, cholmod, FactorKind::cholmod)->Apply(sizes);
BENCHMARK_CAPTURE(rank_one_update, dense, FactorKind::dense)->Apply(sizes);
BENCHMARK_CAPTURE(solve, cholmod, FactorKind::cholmod)->Apply(sizes);
BENCHMARK_CAPTURE(solve, dense, FactorKind::dense)->Apply(sizes);
// As many steps as rebuilds allow: one of them takes longer than all the births that it makes room for.
BENCHMARK_CAPTURE(birth, cholmod, FactorKind::cholmod)->Apply(sizes)->UseManualTime()->Iterations(64);
BENCHMARK_CAPTURE(birth, dense, FactorKind::dense)->Apply(sizes)->UseManualTime()->Iterations(64);
BENCHMARK_CAPTURE(removal, cholmod, FactorKind::cholmod)->Apply(sizes)->UseManualTime()->Iterations(64);
BENCHMARK_CAPTURE(removal, dense, FactorKind::dense)->Apply(sizes)->UseManualTime()->Iterations(64);

}  // namespace
}  // namespace inkling::bench
