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
  std::vector<std::int64_t> full;
  std::vector<std::int64_t> quick;
};

AxisValues values_of(ScaleAxis axis) {
  switch (axis) {
    case ScaleAxis::documents:
      return {{3000, 10'000, 30'000, 100'000, 300'000, 1'000'000}, {1000, 3000, 10'000, 30'000, 100'000}};
    case ScaleAxis::features:
      return {{10'000, 30'000, 100'000, 300'000, 1'000'000}, {3000, 10'000, 30'000, 100'000}};
    case ScaleAxis::relevant:
      return {{10, 20, 50, 100, 200, 400}, {10, 30, 100, 300}};
    case ScaleAxis::length:
      return {{30, 60, 120, 250, 500}, {30, 100, 300}};
    case ScaleAxis::threads:
      return {{1, 2, 4, 8, 16, 32, 64}, {1, 2, 4, 8}};
    case ScaleAxis::rounds:
      break;
  }
  return {{500, 1000, 2000, 4000, 8000, 16'000}, {250, 500, 1000, 2000}};
}

ScaleCell cell_of(const TimedRun& run) {
  ScaleCell cell;
  cell.discovery = run.discovery;
  cell.scoring = run.scoring;
  cell.rounds = static_cast<std::int64_t>(run.rounds.size());
  cell.times = times_of(run);
  cell.setup_seconds = run.setup_seconds;
  cell.scored_a_round = static_cast<double>(run.documents_scored) / static_cast<double>(cell.rounds);
  cell.features_found = run.features_found;
  cell.peak_bytes = run.peak_bytes;
  cell.differences = run.differences;
  return cell;
}

/// The cells of one policy.
class PolicyStudy {
 public:
  PolicyStudy(const RatedPool& rated, Discovery discovery, RunOptions run, const StudyListener& listener)
      : rated_(rated), discovery_(discovery), run_(run), listener_(listener) {}

  void measure(Checking checking, std::vector<ScaleCell>& cells) const {
    const TimedRun sublinear = timed(Scoring::sublinear);
    cells.push_back(cell_of(sublinear));
    if (checking == Checking::on) {
      cells.back().check =
          check_choices(rated_, discovery_, Scoring::sublinear, run_, listener_.check_interruption);
    }
    listener_.cell_done();

    TimedRun running = timed(Scoring::running);
    running.differences = count_differences(running, sublinear);
    cells.push_back(cell_of(running));
    listener_.cell_done();

    cells.push_back(cell_of(run_rescoring_along(rated_, sublinear, run_, listener_.check_interruption)));
    listener_.cell_done();
  }

 private:
  [[nodiscard]] TimedRun timed(Scoring scoring) const {
    return run_timed(rated_, discovery_, scoring, run_, listener_.check_interruption);
  }

  const RatedPool& rated_;
  Discovery discovery_;
  RunOptions run_;
  const StudyListener& listener_;
};

}  // namespace

std::string_view name_of(ScaleAxis axis) {
  switch (axis) {
    case ScaleAxis::documents:
      return "documents";
    case ScaleAxis::features:
      return "features";
    case ScaleAxis::relevant:
      return "relevant";
    case ScaleAxis::length:
      return "length";
    case ScaleAxis::threads:
      return "threads";
    case ScaleAxis::rounds:
      break;
  }
  return "rounds";
}

ScalePoint usual_point(Effort effort) {
  if (effort == Effort::full) return {};
  return {.documents = 10'000, .features = 30'000, .rounds = 1000};
}

ScalePoint at(ScalePoint point, ScaleAxis axis, std::int64_t value) {
  const auto small = static_cast<std::int32_t>(value);
  switch (axis) {
    case ScaleAxis::documents:
      point.documents = small;
      break;
    case ScaleAxis::features:
      point.features = small;
      break;
    case ScaleAxis::relevant:
      point.relevant = small;
      break;
    case ScaleAxis::length:
      point.tokens = small;
      break;
    case ScaleAxis::threads:
      point.threads = small;
      break;
    case ScaleAxis::rounds:
      point.rounds = value;
      break;
  }
  point.rounds = std::min<std::int64_t>(point.rounds, point.documents);
  return point;
}

std::int64_t value_at(const ScalePoint& point, ScaleAxis axis) {
  switch (axis) {
    case ScaleAxis::documents:
      return point.documents;
    case ScaleAxis::features:
      return point.features;
    case ScaleAxis::relevant:
      return point.relevant;
    case ScaleAxis::length:
      return point.tokens;
    case ScaleAxis::threads:
      return point.threads;
    case ScaleAxis::rounds:
      break;
  }
  return point.rounds;
}

std::vector<std::int64_t> usual_values(ScaleAxis axis, Effort effort, int available_threads) {
  AxisValues values = values_of(axis);
  std::vector<std::int64_t>& chosen = effort == Effort::full ? values.full : values.quick;
  if (axis == ScaleAxis::threads)
    std::erase_if(chosen, [&](auto value) { return value > available_threads; });
  return std::move(chosen);
}

MeasuredPoint measure_point(ScaleAxis axis, const ScalePoint& point, const StudyOptions& options,
                            const StudyListener& listener) {
  MeasuredPoint measured{.axis = axis, .point = point};
  const Stopwatch making;
  const PoolMatrix pool = make_zipf_pool({.documents = point.documents,
                                          .features = point.features,
                                          .mean_tokens = static_cast<double>(point.tokens),
                                          .seed = options.seed});
  measured.pool_seconds = making.seconds();
  measured.nonzeros = pool.view().by_document.nonzeros();
  measured.pool_bytes = bytes_of(pool.view());
  const RatedPool rated = rate_pool(
      pool.view(), {.relevant = point.relevant, .frequency = options.frequency, .seed = options.seed});
  listener.check_interruption();

  RunOptions run;
  run.rounds = point.rounds;
  run.seed = options.seed;
  run.rescoring_seconds = options.rescoring_seconds;
  ThreadLimit threads(point.threads);
  threads.run([&] {
    for (const Discovery discovery : kDiscoveries) {
      PolicyStudy(rated, discovery, run, listener).measure(options.checking, measured.cells);
    }
  });
  return measured;
}

}  // namespace inkling::bench
