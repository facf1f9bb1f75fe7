// Keeping every document's score, finding the best of them, and scoring all of them from nothing.
#include <cstdint>
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/speed/micro/trained_model.hpp"
#include "engine/policy/thompson_learner.hpp"
#include "engine/scoring/live/running_scores.hpp"
#include "engine/scoring/scan/batch_scan.hpp"

namespace inkling::bench {
namespace {

constexpr double kRadius = 1.5;

/// A model, the running scores of its pool, and one more reward to score.
class ScoredPool {
 public:
  explicit ScoredPool(const benchmark::State& state)
      : pool(example_pool(static_cast<std::int32_t>(state.range(0)))),
        random(1, 0, RandomRole::reward),
        model(pool.view(), {}),
        scores(pool.view()) {
    train(model, pool, random);
    const std::vector<double> nothing(pool.relevant.size(), 0.0);
    for (const FeatureId feature : pool.relevant) scores.adopt(feature, {.direction = nothing});
    scores.refresh(model);
    change = model.observe(any_document(pool, random), 0.5);
    // The same event happens over and over, so small that no width runs out.
    change.mean_gain *= 1e-6;
    change.square_gain *= 1e-9;
  }

  const ExamplePool& pool;
  RandomStream random;
  RidgeModel model;
  RunningScores scores;
  RankOneChange change;
};

void running_scores_observe(benchmark::State& state) {
  ScoredPool scored(state);
  for (auto _ : state) scored.scores.observe(scored.change);
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void running_scores_best(benchmark::State& state) {
  const ScoredPool scored(state);
  for (auto _ : state) benchmark::DoNotOptimize(scored.scores.best(kRadius));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

/// Items are rows; bytes are those of the rows' features, values and offsets, which a scan has to read.
void count_rows(benchmark::State& state, CsrView documents) {
  constexpr std::int64_t entry_bytes = sizeof(FeatureId) + sizeof(float);
  const std::int64_t bytes =
      documents.nonzeros() * entry_bytes + static_cast<std::int64_t>(documents.offsets().size_bytes());
  state.SetItemsProcessed(state.iterations() * documents.rows());
  state.SetBytesProcessed(state.iterations() * bytes);
}

void running_scores_refresh(benchmark::State& state) {
  ScoredPool scored(state);
  for (auto _ : state) scored.scores.refresh(scored.model);
  count_rows(state, scored.pool.view().by_document);
}

void batch_scan_score_all(benchmark::State& state) {
  const ScoredPool scored(state);
  const CsrView documents = scored.pool.view().by_document;
  const BatchScan scan(scored.model);
  std::vector<double> mean(static_cast<std::size_t>(documents.rows()));
  std::vector<double> square(mean.size());
  for (auto _ : state) {
    scan.score_all(documents, mean, square);
    benchmark::DoNotOptimize(mean.data());
  }
  count_rows(state, documents);
}

void batch_scan_best_ten(benchmark::State& state) {
  const ScoredPool scored(state);
  const CsrView documents = scored.pool.view().by_document;
  const BatchScan scan(scored.model);
  for (auto _ : state) benchmark::DoNotOptimize(scan.best(documents, kRadius, 10));
  count_rows(state, documents);
}

/// A draw from what is believed and its product with every document.
void thompson_choose(benchmark::State& state) {
  const ExamplePool& pool = example_pool(static_cast<std::int32_t>(state.range(0)));
  RandomStream random(1, 0, RandomRole::reward);
  const auto learner = std::make_unique<ThompsonLearner>(pool.view(), PolicyOptions{});
  train(*learner, pool, random);
  for (auto _ : state) benchmark::DoNotOptimize(learner->choose(random));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void pools(benchmark::internal::Benchmark* registered) {
  for (const int documents : {4868, 100'000}) registered->Arg(documents);
  registered->ArgName("documents")->Unit(benchmark::kMicrosecond)->UseRealTime();
}

BENCHMARK(running_scores_observe)->Apply(pools);
BENCHMARK(running_scores_best)->Apply(pools);
BENCHMARK(running_scores_refresh)->Apply(pools);
BENCHMARK(batch_scan_score_all)->Apply(pools);
BENCHMARK(batch_scan_best_ten)->Apply(pools);
BENCHMARK(thompson_choose)->Apply(pools);

}  // namespace
}  // namespace inkling::bench
