#include "bench/speed/scale_study.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "bench/worlds/zipf_pool.hpp"
#include "io/cli/stopwatch.hpp"
#include "io/cli/thread_limit.hpp"

namespace inkling::bench {
namespace {

struct AxisValues {
  ScaleAxis axis;
  std::vector<std::int64_t> full;
  std::vector<std::int64_t> quick;
};

const std::array<AxisValues, std::size(kScaleAxes)>& axis_values() {
  static const std::array<AxisValues, std::size(kScaleAxes)> values = {{
      {ScaleAxis::documents,
       {3000, 10'000, 30'000, 100'000, 300'000, 1'000'000},
       {1000, 3000, 10'000, 30'000, 100'000}},
      {ScaleAxis::features, {10'000, 30'000, 100'000, 300'000, 1'000'000}, {3000, 10'000, 30'000, 100'000}},
      {ScaleAxis::relevant, {10, 20, 50, 100, 200, 400}, {10, 30, 100, 300}},
      {ScaleAxis::length, {30, 60, 120, 250, 500}, {30, 100, 300}},
      {ScaleAxis::threads, {1, 2, 4, 8, 16, 32, 64}, {1, 2, 4, 8}},
      {ScaleAxis::rounds, {500, 1000, 2000, 4000, 8000, 16'000}, {250, 500, 1000, 2000}},
  }};
  return values;
}

ScaleCell cell_of(const TimedRun& run) {
  ScaleCell cell{.discovery = run.discovery, .scoring = run.scoring};
  cell.rounds = static_cast<std::int64_t>(run.rounds.size());
  cell.setup_seconds = run.setup_seconds;
  cell.scored_a_round = static_cast<double>(run.documents_scored) / static_cast<double>(cell.rounds);
  cell.features_found = run.features_found;
  cell.peak_bytes = run.peak_bytes;
  cell.differences = run.differences;
  return cell;
}

void set_times(std::vector<RoundTimes> repeats, ScaleCell& cell) {
  std::ranges::sort(repeats, {}, &RoundTimes::mean);
  cell.times = repeats[repeats.size() / 2];
  cell.fastest_mean = repeats.front().mean;
  cell.slowest_mean = repeats.back().mean;
}

/// The runs of one policy, a cell for each scoring.
class PolicyStudy {
 public:
  PolicyStudy(const RatedPool& rated, Discovery discovery, const TimedRunOptions& run,
              const StudyListener& listener)
      : rated_(rated), discovery_(discovery), run_(run), listener_(listener) {}

  void measure(const StudyOptions& options, std::vector<ScaleCell>& cells) const {
    std::array<std::vector<RoundTimes>, std::size(kMeasuredScorings)> times;
    std::array<ScaleCell, std::size(kMeasuredScorings)> measured;
    for (std::int64_t repeat = 0; repeat < options.repeats; ++repeat) {
      const std::array<TimedRun, std::size(kMeasuredScorings)> runs = one_repeat();
      for (std::size_t n = 0; n < runs.size(); ++n) {
        times[n].push_back(times_of(runs[n]));
        if (repeat == 0) measured[n] = cell_of(runs[n]);
      }
    }
    for (std::size_t n = 0; n < times.size(); ++n) set_times(std::move(times[n]), measured[n]);
    if (options.checking == Checking::on) {
      measured.front().check =
          check_choices(rated_, discovery_, Scoring::sublinear, run_, listener_.check_interruption);
    }
    cells.insert(cells.end(), measured.begin(), measured.end());
  }

 private:
  [[nodiscard]] std::array<TimedRun, std::size(kMeasuredScorings)> one_repeat() const {
    TimedRun sublinear = timed(Scoring::sublinear);
    TimedRun running = timed(Scoring::running);
    running.differences = count_differences(running, sublinear);
    TimedRun rescoring = run_rescoring_along(rated_, sublinear, run_, listener_.check_interruption);
    listener_.run_done();
    return {std::move(sublinear), std::move(running), std::move(rescoring)};
  }

  [[nodiscard]] TimedRun timed(Scoring scoring) const {
    TimedRun run = run_timed(rated_, discovery_, scoring, run_, listener_.check_interruption);
    listener_.run_done();
    return run;
  }

  const RatedPool& rated_;
  Discovery discovery_;
  const TimedRunOptions& run_;
  const StudyListener& listener_;
};

}  // namespace

std::int64_t& ScalePoint::at(ScaleAxis axis) {
  switch (axis) {
    case ScaleAxis::documents:
      return documents;
    case ScaleAxis::features:
      return features;
    case ScaleAxis::relevant:
      return relevant;
    case ScaleAxis::length:
      return tokens;
    case ScaleAxis::threads:
      return threads;
    case ScaleAxis::rounds:
      break;
  }
  return rounds;
}

std::int64_t ScalePoint::at(ScaleAxis axis) const { return ScalePoint(*this).at(axis); }

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
  const AxisValues& values = *std::ranges::find(axis_values(), axis, &AxisValues::axis);
  std::vector<std::int64_t> chosen = effort == Effort::full ? values.full : values.quick;
  if (axis == ScaleAxis::threads)
    std::erase_if(chosen, [&](auto value) { return value > available_threads; });
  return chosen;
}

MeasuredPoint measure_point(ScaleAxis axis, const ScalePoint& point, const StudyOptions& options,
                            const StudyListener& listener) {
  MeasuredPoint measured{.axis = axis, .point = point};
  const Stopwatch making;
  const PoolMatrix pool = make_zipf_pool({.documents = static_cast<std::int32_t>(point.documents),
                                          .features = static_cast<std::int32_t>(point.features),
                                          .mean_tokens = static_cast<double>(point.tokens),
                                          .seed = options.seed});
  measured.pool_seconds = making.seconds();
  measured.nonzeros = pool.view().by_document.nonzeros();
  measured.pool_bytes = bytes_of(pool.view());
  const RatedPool rated = rate_pool(pool.view(), {.relevant = static_cast<std::int32_t>(point.relevant),
                                                  .frequency = options.frequency,
                                                  .seed = options.seed});
  listener.check_interruption();

  const TimedRunOptions run{
      .rounds = point.rounds,
      .seed = options.seed,
      .rescoring_seconds = options.rescoring_seconds / static_cast<double>(options.repeats)};
  ThreadLimit threads(static_cast<int>(point.threads));
  threads.run([&] {
    for (const Discovery discovery : kDiscoveries) {
      PolicyStudy(rated, discovery, run, listener).measure(options, measured.cells);
    }
  });
  return measured;
}

}  // namespace inkling::bench
