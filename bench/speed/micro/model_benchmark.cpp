// What a model in the middle of its work does in a round, with 100 relevant features found and some documents
// rated; keeping every document's score, finding the best of them, and scoring all of them from nothing.
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "engine/model/ridge_model.hpp"
#include "engine/policy/thompson_learner.hpp"
#include "engine/scoring/live/running_scores.hpp"
#include "engine/scoring/scan/batch_scan.hpp"
#include "io/search/simulation/synthetic_pool.hpp"

namespace inkling::bench {
namespace {

constexpr std::int32_t kDocuments = 4868;
constexpr double kRadius = 1.5;

/// A text-like pool with 100 relevant features, each in 1 to 30 % of the documents.
struct ExamplePool {
  PoolMatrix matrix;
  std::vector<FeatureId> relevant;

  /// Lifetime: lends the pool.
  [[nodiscard]] PoolView view() const& noexcept { return matrix.view(); }
  PoolView view() const&& = delete;
};

/// The same pool for the same number of documents; made once, then kept for the life of the program.
const ExamplePool& example_pool(std::int32_t documents) {
  static std::map<std::int32_t, ExamplePool> pools;
  const auto known = pools.find(documents);
  if (known != pools.end()) return known->second;
  constexpr std::int32_t relevant = 100;
  PoolMatrix pool = make_zipf_pool({.documents = documents});
  RandomStream random(1, static_cast<std::uint64_t>(documents), RandomRole::subset);
  std::vector<FeatureId> features = draw_features(features_within(pool.view(), {0.01, 0.3}), relevant, random);
  return pools.emplace(documents, ExamplePool{std::move(pool), std::move(features)}).first->second;
}

/// A document of the pool, each equally likely.
DocumentId any_document(const ExamplePool& pool, RandomStream& random) {
  return static_cast<DocumentId>(random.below(static_cast<std::uint64_t>(pool.view().documents())));
}

RankOneChange observe(RidgeModel& model, const ExamplePool& pool, DocumentId document, double reward) {
  return model.observe(document, pool.view().by_document.row(document), reward);
}

void observe(Learner& learner, const ExamplePool& /*pool*/, DocumentId document, double reward) {
  learner.observe(document, reward);
}

/// Lets a model or a learner learn 1,000 rewards and every relevant feature.
template <typename Model>
void train(Model& model, const ExamplePool& pool, RandomStream& random) {
  constexpr int rewards = 1000;
  for (int n = 0; n < rewards; ++n) observe(model, pool, any_document(pool, random), random.normal());
  for (const FeatureId feature : pool.relevant) model.adopt(feature);
}

struct TrainedModel {
  explicit TrainedModel(std::int32_t documents, FactorKind kind = FactorKind::cholmod)
      : pool(example_pool(documents)),
        random(1, 0, RandomRole::reward),
        model(pool.view().features(), {.ridge = 1.0, .factor = kind}) {
    train(model, pool, random);
  }

  const ExamplePool& pool;
  RandomStream random;
  RidgeModel model;
};

/// A model, the running scores of its pool, and one more reward to score.
struct ScoredPool : TrainedModel {
  explicit ScoredPool(const benchmark::State& state)
      : TrainedModel(static_cast<std::int32_t>(state.range(0))), scores(pool.view()) {
    const std::vector<double> nothing(pool.relevant.size(), 0.0);
    for (const FeatureId feature : pool.relevant) scores.adopt(feature, {.direction = nothing});
    scores.refresh(model);
    change = observe(model, pool, any_document(pool, random), 0.5);
    // The same event is applied again and again, scaled so small that no width falls to 0.
    change.mean_gain *= 1e-6;
    change.square_gain *= 1e-9;
  }

  RunningScores scores;
  RankOneChange change;
};

void model_observe(benchmark::State& state, FactorKind kind) {
  TrainedModel trained(kDocuments, kind);
  for (auto _ : state) {
    const DocumentId document = any_document(trained.pool, trained.random);
    benchmark::DoNotOptimize(observe(trained.model, trained.pool, document, 0.5));
  }
}

void model_predict(benchmark::State& state, FactorKind kind) {
  TrainedModel trained(kDocuments, kind);
  for (auto _ : state) {
    const DocumentId document = any_document(trained.pool, trained.random);
    benchmark::DoNotOptimize(trained.model.predict(trained.pool.view().by_document.row(document)));
  }
}

void model_refine(benchmark::State& state, FactorKind kind) {
  TrainedModel trained(kDocuments, kind);
  for (auto _ : state) trained.model.refine();
}

BENCHMARK_CAPTURE(model_observe, cholmod, FactorKind::cholmod)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(model_observe, dense, FactorKind::dense)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(model_predict, cholmod, FactorKind::cholmod)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(model_predict, dense, FactorKind::dense)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(model_refine, dense, FactorKind::dense)->Unit(benchmark::kMicrosecond);

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
  const std::int64_t bytes = documents.nonzeros() * entry_bytes + static_cast<std::int64_t>(documents.offsets().size_bytes());
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

/// A draw from the posterior and its product with every document.
void thompson_choose(benchmark::State& state) {
  const ExamplePool& pool = example_pool(static_cast<std::int32_t>(state.range(0)));
  RandomStream random(1, 0, RandomRole::reward);
  ThompsonLearner learner(pool.view(), PolicyOptions{});
  train(learner, pool, random);
  for (auto _ : state) benchmark::DoNotOptimize(learner.choose(random));
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
