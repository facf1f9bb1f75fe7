// The operations of both Cholesky factors, on rows as a model meets them in text.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include "engine/core/random_stream.hpp"
#include "engine/model/cholesky_factor.hpp"
#include "engine/model/played_documents.hpp"
#include "io/base/process/stopwatch.hpp"
#include "io/search/simulation/synthetic_pool.hpp"

namespace inkling::bench {
namespace {

constexpr std::int32_t kPlayed = 300;
constexpr std::int32_t kBirths = 8;
constexpr std::size_t kUpcomingRows = 64;
constexpr double kRidge = 1.0;
/// Shares of the documents that hold a word: of words that people mark; of all but the commonest words of a
/// text; of rare words.
constexpr FrequencyBand kBands[] = {{0.01, 0.3}, {0.0005, 0.3}, {0.0005, 0.01}};

/// Rows that hold each of some words by its own probability, which is drawn from a band evenly on a
/// logarithmic scale.
class RowDraw {
 public:
  RowDraw(std::int32_t words, FrequencyBand band, RandomStream& random) : random_(random) {
    for (std::int32_t word = 0; word < words; ++word)
      frequencies_.push_back(band.low * std::pow(band.high / band.low, random.uniform()));
  }

  /// Valid until the next call.
  RestrictedRow draw() {
    buffer_.positions.clear();
    buffer_.values.clear();
    for (std::size_t a = 0; a < frequencies_.size(); ++a) {
      if (!random_.coin(frequencies_[a])) continue;
      buffer_.positions.push_back(static_cast<std::int32_t>(a));
      buffer_.values.push_back(static_cast<double>(static_cast<float>(0.05 + 0.45 * random_.uniform())));
    }
    return {buffer_.positions, buffer_.values};
  }

 private:
  RandomStream& random_;
  std::vector<double> frequencies_;
  RestrictedRows buffer_;
};

/// The part of a row with positions below `end`; rows ascend.
RestrictedRow part_before(RestrictedRow row, std::int32_t end) {
  std::size_t count = row.size();
  while (count > 0 && row.positions[count - 1] >= end) --count;
  return {row.positions.first(count), row.values.first(count)};
}

/// The last row and column with which a gram grows, as CholeskyFactor::append takes it.
struct FactorBirth {
  std::vector<double> b;
  double c = kRidge;
};

/// The column of the gram at `position`, up to its diagonal.
FactorBirth birth_at(std::int32_t position, const PlayedRows& played) {
  FactorBirth birth{std::vector<double>(static_cast<std::size_t>(position), 0.0)};
  for (std::size_t t = 0; t < played.size(); ++t) {
    const RestrictedRow known = part_before(played.row(t), position);
    const RestrictedRow with_new = part_before(played.row(t), position + 1);
    if (with_new.size() == known.size()) continue;
    const double value = with_new.values.back();
    for (std::size_t n = 0; n < known.size(); ++n)
      birth.b[static_cast<std::size_t>(known.positions[n])] += value * known.values[n];
    birth.c += value * value;
  }
  return birth;
}

/// Rows played, rows to come and features to be born, of a gram of `size` features.
class FactorWorkload {
 public:
  FactorWorkload(std::int32_t features, std::int32_t rows, FrequencyBand band) : size(features) {
    RandomStream random(1, static_cast<std::uint64_t>(size), RandomRole::pool);
    RowDraw draw(size + kBirths, band, random);
    PlayedRows with_unborn;
    for (std::int32_t t = 0; t < rows; ++t) {
      const RestrictedRow row = draw.draw();
      with_unborn.append(row, 1.0);
      played_.append(part_before(row, size), 1.0);
    }
    while (upcoming_.size() < kUpcomingRows) {
      const RestrictedRow row = part_before(draw.draw(), size);
      const std::vector<std::int32_t> position = {static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(size)))};
      const std::vector<double> value = {0.25};
      // A document without a relevant feature gives a factor nothing to do: it gets one.
      upcoming_.append(row.empty() ? RestrictedRow{position, value} : row, 1.0);
    }
    for (std::int32_t n = 0; n < kBirths; ++n) births.push_back(birth_at(size + n, with_unborn));
  }

  /// Rebuilds `factor` from the played rows, with the average spare room of a model that doubles its capacity.
  void rebuild(CholeskyFactor& factor) const { factor.rebuild(played_, kRidge, size, size + size / 2 + kBirths); }

  /// The rows to come, again and again.
  RestrictedRow next_row() { return upcoming_.row(next_++ % upcoming_.size()); }

  std::int32_t size;
  std::vector<FactorBirth> births;  // in order: each is one entry longer than the one before

 private:
  PlayedRows played_;
  PlayedRows upcoming_;  // none empty
  std::size_t next_ = 0;
};

FactorWorkload workload_of(const benchmark::State& state) {
  return {static_cast<std::int32_t>(state.range(0)), kPlayed, kBands[0]};
}

void rank_one_update(benchmark::State& state, FactorKind kind) {
  FactorWorkload workload = workload_of(state);
  const auto factor = make_cholesky_factor(kind);
  workload.rebuild(*factor);
  for (auto _ : state) factor->update(workload.next_row());
}

void solve(benchmark::State& state, FactorKind kind) {
  FactorWorkload workload = workload_of(state);
  const auto factor = make_cholesky_factor(kind);
  workload.rebuild(*factor);
  std::vector<double> solution(static_cast<std::size_t>(workload.size));
  for (auto _ : state) {
    factor->solve(workload.next_row(), solution);
    benchmark::DoNotOptimize(solution.data());
  }
}

/// The seconds that a factor takes to learn as many rewards as there are rows to come.
double seconds_to_learn(CholeskyFactor& factor, FactorWorkload& workload, std::vector<double>& solution) {
  const Stopwatch watch;
  for (std::size_t n = 0; n < kUpcomingRows; ++n) {
    const RestrictedRow row = workload.next_row();
    factor.solve(row, solution);
    factor.update(row);
  }
  return watch.seconds();
}

/// The cost of a reward: a solve and an update. The counter `cholmod_to_dense` is CHOLMOD's time over the dense factor's; above 1
/// the dense factor is faster.
void learn_reward(benchmark::State& state) {
  FactorWorkload workload(static_cast<std::int32_t>(state.range(0)), static_cast<std::int32_t>(state.range(1)),
                          kBands[state.range(2)]);
  const auto cholmod = make_cholesky_factor(FactorKind::cholmod);
  const auto dense = make_cholesky_factor(FactorKind::dense);
  workload.rebuild(*cholmod);
  workload.rebuild(*dense);
  std::vector<double> solution(static_cast<std::size_t>(workload.size));
  double cholmod_seconds = 0.0;
  double dense_seconds = 0.0;
  for (auto _ : state) {
    cholmod_seconds += seconds_to_learn(*cholmod, workload, solution);
    dense_seconds += seconds_to_learn(*dense, workload, solution);
  }
  const double rewards = static_cast<double>(state.iterations()) * static_cast<double>(kUpcomingRows);
  state.counters["cholmod_us"] = 1e6 * cholmod_seconds / rewards;
  state.counters["dense_us"] = 1e6 * dense_seconds / rewards;
  state.counters["cholmod_to_dense"] = cholmod_seconds / dense_seconds;
}

/// One step a birth; the rebuild that makes room for the next few is not counted.
void birth(benchmark::State& state, FactorKind kind) {
  const FactorWorkload workload = workload_of(state);
  const auto factor = make_cholesky_factor(kind);
  std::size_t next = 0;
  for (auto _ : state) {
    if (next % workload.births.size() == 0) workload.rebuild(*factor);
    const FactorBirth& born = workload.births[next++ % workload.births.size()];
    const Stopwatch watch;
    factor->append(born.b, born.c);
    state.SetIterationTime(watch.seconds());
  }
}

void sizes(benchmark::internal::Benchmark* registered) {
  for (const int size : {10, 30, 100, 300, 1000}) registered->Arg(size);
  registered->ArgName("m")->Unit(benchmark::kMicrosecond);
}

BENCHMARK(learn_reward)
    ->ArgsProduct({{10, 30, 100, 300, 1000, 3000}, {30, 300, 2000}, {0, 1, 2}})
    ->ArgNames({"m", "played", "band"});
BENCHMARK_CAPTURE(rank_one_update, cholmod, FactorKind::cholmod)->Apply(sizes);
BENCHMARK_CAPTURE(rank_one_update, dense, FactorKind::dense)->Apply(sizes);
BENCHMARK_CAPTURE(solve, cholmod, FactorKind::cholmod)->Apply(sizes);
BENCHMARK_CAPTURE(solve, dense, FactorKind::dense)->Apply(sizes);
// Rebuilds limit the number of steps: one takes longer than all the births that it makes room for.
BENCHMARK_CAPTURE(birth, cholmod, FactorKind::cholmod)->Apply(sizes)->UseManualTime()->Iterations(64);
BENCHMARK_CAPTURE(birth, dense, FactorKind::dense)->Apply(sizes)->UseManualTime()->Iterations(64);

}  // namespace
}  // namespace inkling::bench
