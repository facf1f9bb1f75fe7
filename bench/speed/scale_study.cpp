#include "bench/speed/scale_study.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "io/base/process/stopwatch.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/search/simulation/synthetic_pool.hpp"
#include "io/search/simulation/world.hpp"

namespace inkling::bench {
namespace {

struct AxisValues {
  ScaleAxis axis;
  std::int64_t ScalePoint::*place;
  std::vector<std::int64_t> full;
  std::vector<std::int64_t> quick;
};

const AxisValues& values_of(ScaleAxis axis) {
  static const std::vector<AxisValues> values = {
      {ScaleAxis::documents,
       &ScalePoint::documents,
       {3000, 10'000, 30'000, 100'000, 300'000, 1'000'000},
       {1000, 3000, 10'000, 30'000, 100'000}},
      {ScaleAxis::features,
       &ScalePoint::features,
       {10'000, 30'000, 100'000, 300'000, 1'000'000},
       {3000, 10'000, 30'000, 100'000}},
      {ScaleAxis::relevant, &ScalePoint::relevant, {10, 20, 50, 100, 200, 400}, {10, 30, 100, 300}},
      {ScaleAxis::length, &ScalePoint::tokens, {30, 60, 120, 250, 500}, {30, 100, 300}},
      {ScaleAxis::threads, &ScalePoint::threads, {1, 2, 4, 8, 16, 32, 64}, {1, 2, 4, 8}},
      {ScaleAxis::rounds, &ScalePoint::rounds, {500, 1000, 2000, 4000, 8000, 16'000}, {250, 500, 1000, 2000}},
  };
  return *std::ranges::find(values, axis, &AxisValues::axis);
}

ScaleCell cell_of(const TimedRun& run) {
  const auto rounds = static_cast<std::int64_t>(run.rounds.size());
  return {static_cast<const RunFacts&>(run), rounds, static_cast<double>(run.documents_scored) / static_cast<double>(rounds)};
}

void set_times(std::vector<RoundTimes> repeats, ScaleCell& cell) {
  std::ranges::sort(repeats, {}, &RoundTimes::mean);
  cell.times = repeats[repeats.size() / 2];
  cell.fastest_mean = repeats.front().mean;
  cell.slowest_mean = repeats.back().mean;
}

/// The cells of one policy, one for each scoring.
void measure_policy(const World& rated, Discovery discovery, const TimedRunOptions& run, const StudyOptions& options,
                    const RunListener& listener, std::vector<ScaleCell>& cells) {
  std::array<std::vector<RoundTimes>, std::size(kMeasuredScorings)> times;
  for (std::int64_t repeat = 0; repeat < options.repeats; ++repeat) {
    const auto runs = run_scorings(rated, discovery, run, listener);
    for (std::size_t n = 0; n < runs.size(); ++n) {
      times[n].push_back(times_of(runs[n]));
      if (repeat == 0) cells.push_back(cell_of(runs[n]));
    }
  }
  const auto measured = std::span(cells).last(times.size());
  for (std::size_t n = 0; n < times.size(); ++n) set_times(std::move(times[n]), measured[n]);
  if (!options.checking) return;
  measured.front().check = check_choices(rated, discovery, run, listener);
}

}  // namespace

std::int64_t& ScalePoint::at(ScaleAxis axis) { return this->*values_of(axis).place; }

std::int64_t ScalePoint::at(ScaleAxis axis) const { return this->*values_of(axis).place; }

ScalePoint usual_point(Effort effort) {
  if (effort == Effort::full) return {};
  return {.documents = 10'000, .features = 30'000, .rounds = 1000};
}

ScalePoint moved(ScalePoint point, ScaleAxis axis, std::int64_t value) {
  point.at(axis) = value;
  point.rounds = std::min(point.rounds, point.documents);
  return point;
}

std::vector<std::int64_t> usual_values(ScaleAxis axis, Effort effort, int available_threads) {
  const AxisValues& values = values_of(axis);
  std::vector<std::int64_t> chosen = effort == Effort::full ? values.full : values.quick;
  if (axis == ScaleAxis::threads) std::erase_if(chosen, [&](auto value) { return value > available_threads; });
  return chosen;
}

MeasuredPoint measure_point(const ScalePoint& point, const StudyOptions& options, const RunListener& listener) {
  MeasuredPoint measured{.point = point};
  const Stopwatch making;
  const PoolMatrix pool = make_zipf_pool({.documents = static_cast<std::int32_t>(point.documents),
                                          .features = static_cast<std::int32_t>(point.features),
                                          .mean_tokens = static_cast<double>(point.tokens),
                                          .seed = options.seed});
  measured.pool_seconds = making.seconds();
  measured.nonzeros = pool.view().by_document.nonzeros();
  measured.pool_bytes = bytes_of(pool.view());
  const World rated = rate_pool(
      pool.view(), {.relevant = static_cast<std::int32_t>(point.relevant), .frequency = options.frequency, .seed = options.seed});
  listener.between_rounds();

  const TimedRunOptions run{.rounds = point.rounds,
                            .seed = options.seed,
                            .rescoring_seconds = options.rescoring_seconds / static_cast<double>(options.repeats)};
  ThreadLimit(static_cast<int>(point.threads)).run([&] {
    for (const Discovery discovery : kDiscoveries) measure_policy(rated, discovery, run, options, listener, measured.cells);
  });
  return measured;
}

}  // namespace inkling::bench
