// What a ridge model of 100 relevant features does in a round, the scores of the documents left aside.
#include <benchmark/benchmark.h>

#include "bench/speed/micro/trained_model.hpp"

namespace inkling::bench {
namespace {

constexpr std::int32_t kDocuments = 4868;

class TrainedModel {
 public:
  explicit TrainedModel(FactorKind kind)
      : pool(example_pool(kDocuments)),
        random(1, 0, RandomRole::reward),
        model(pool.view(), {.ridge = 1.0, .factor = kind}) {
    train(model, pool, random);
  }

  const ExamplePool& pool;
  RandomStream random;
  RidgeModel model;
};

void model_observe(benchmark::State& state, FactorKind kind) {
  TrainedModel trained(kind);
  for (auto _ : state) {
    const DocumentId document = any_document(trained.pool, trained.random);
    benchmark::DoNotOptimize(trained.model.observe(document, 0.5));
  }
}

/// One step is a removal and a birth of the same feature, from all that was played.
void model_forget_and_adopt(benchmark::State& state, FactorKind kind) {
  TrainedModel trained(kind);
  std::size_t next = 0;
  for (auto _ : state) {
    const FeatureId feature = trained.pool.relevant[next++ % trained.pool.relevant.size()];
    trained.model.forget(feature);
    benchmark::DoNotOptimize(trained.model.adopt(feature));
  }
}

void model_predict(benchmark::State& state, FactorKind kind) {
  TrainedModel trained(kind);
  for (auto _ : state) {
    const DocumentId document = any_document(trained.pool, trained.random);
    benchmark::DoNotOptimize(trained.model.predict(trained.pool.view().by_document.row(document)));
  }
}

void model_refine(benchmark::State& state, FactorKind kind) {
  TrainedModel trained(kind);
  for (auto _ : state) trained.model.refine();
}

BENCHMARK_CAPTURE(model_observe, cholmod, FactorKind::cholmod)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(model_observe, dense, FactorKind::dense)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(model_forget_and_adopt, cholmod, FactorKind::cholmod)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(model_forget_and_adopt, dense, FactorKind::dense)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(model_predict, cholmod, FactorKind::cholmod)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(model_predict, dense, FactorKind::dense)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(model_refine, dense, FactorKind::dense)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace inkling::bench
