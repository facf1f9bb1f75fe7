#include "bench/speed/drift.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "bench/speed/extended_ridge.hpp"
#include "bench/worlds/text_like_rows.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/scoring/live/running_scores.hpp"

namespace inkling::bench {
namespace {

constexpr double kWordsARow = 8.0;
constexpr double kNoise = 0.1;
constexpr std::int32_t kScoredDocuments = 1000;
constexpr std::int64_t kUpdatesAStep = 1024;

std::vector<double> draw_unit_theta(std::int32_t size, RandomStream& random) {
  std::vector<double> theta(static_cast<std::size_t>(size));
  double square = 0.0;
  for (double& entry : theta) {
    entry = random.normal();
    square += entry * entry;
  }
  for (double& entry : theta) entry /= std::sqrt(square);
  return theta;
}

/// The first documents of a pool: those whose scores are kept running and compared.
CsrMatrix first_documents(CsrView documents, std::int32_t count) {
  CsrMatrix first(documents.columns());
  for (DocumentId i = 0; i < std::min(count, documents.rows()); ++i) first.append_row(documents.row(i));
  return first;
}

class Experiment {
 public:
  explicit Experiment(const DriftOptions& options)
      : options_(options),
        pool_random_(options.seed, 0, RandomRole::pool),
        reward_random_(options.seed, 0, RandomRole::reward),
        documents_(
            draw_documents(options.documents, zipf_frequencies(options.relevant, kWordsARow), pool_random_)),
        postings_(transposed(documents_.view())),
        scored_(first_documents(documents_.view(), kScoredDocuments)),
        scored_postings_(transposed(scored_.view())),
        truth_(draw_unit_theta(options.relevant, pool_random_)),
        log_(options.documents),
        model_({documents_.view(), postings_.view()}, {options.ridge, options.factor}),
        scores_({scored_.view(), scored_postings_.view()}) {
    for (FeatureId feature = 0; feature < options.relevant; ++feature) {
      scores_.adopt(feature, model_.adopt(feature));
    }
  }

  void run(const std::function<void(std::int64_t)>& advance) {
    for (std::int64_t done = 0; done < options_.updates;) {
      const std::int64_t step = std::min(kUpdatesAStep, options_.updates - done);
      for (const std::int64_t end = done + step; done < end;) {
        update();
        ++done;
        if (options_.refine_every > 0 && done % options_.refine_every == 0) refine();
      }
      advance(step);
    }
  }

  [[nodiscard]] DriftReport compare() const;

 private:
  using Clock = std::chrono::steady_clock;

  void update() {
    const auto document =
        static_cast<DocumentId>(pool_random_.below(static_cast<std::uint64_t>(options_.documents)));
    const double reward = dot(documents_.view().row(document), truth_) + kNoise * reward_random_.normal();
    log_.record(document, reward);
    const auto start = Clock::now();
    const RankOneChange change = model_.observe(document, reward);
    learning_ += Clock::now() - start;
    scores_.observe(change);
    if (change.rebuilt) scores_.refresh(model_);
  }

  void refine() {
    const auto start = Clock::now();
    model_.refine();
    learning_ += Clock::now() - start;
    scores_.refresh(model_);
  }

  void compare_scores(const ExtendedRidge& exact, DriftReport& report) const;

  DriftOptions options_;
  RandomStream pool_random_;
  RandomStream reward_random_;
  CsrMatrix documents_;
  CsrMatrix postings_;
  CsrMatrix scored_;
  CsrMatrix scored_postings_;
  std::vector<double> truth_;
  PlayLog log_;
  RidgeModel model_;
  RunningScores scores_;
  Clock::duration learning_{};
};

double difference(double value, Extended exact) {
  return static_cast<double>(std::fabs(static_cast<Extended>(value) - exact));
}

double width_of(double square) { return std::sqrt(std::max(square, 0.0)); }

DriftReport Experiment::compare() const {
  const ExtendedRidge exact(documents_.view(), log_, options_.ridge);
  DriftReport report;
  report.log_det_ratio = static_cast<double>(exact.log_det_ratio());
  report.condition = exact.condition();
  report.seconds = std::chrono::duration<double>(learning_).count();
  report.rebuilds = model_.rebuilds();

  // PROMISES M1: these two from lambda = 1 on; below it, what the condition of V allows.
  const double allowed = 100.0 * report.condition * std::numeric_limits<double>::epsilon();
  const double allowed_theta = options_.ridge >= 1.0 ? 1e-10 : allowed;
  const double allowed_log_det = options_.ridge >= 1.0 ? 1e-12 : allowed;

  double theta = 0.0;
  for (std::size_t a = 0; a < exact.theta().size(); ++a) {
    theta = std::max(theta, difference(model_.theta()[a], exact.theta()[a]));
  }
  const double log_det = difference(model_.log_det_ratio(), exact.log_det_ratio());
  const double pivots = difference(model_.factor().log_det_ratio(options_.ridge), exact.log_det_ratio());
  const double scale = std::max(std::fabs(report.log_det_ratio), std::numeric_limits<double>::min());
  report.figures = {
      {"theta", "theta, largest absolute error", theta, allowed_theta},
      {"log_det_relative", "ln det, relative error", log_det / scale, allowed_log_det},
      {"log_det_absolute", "ln det, absolute error", log_det, allowed_log_det},
      {"pivots_log_det_absolute", "ln det from the factor's pivots, absolute error", pivots, std::nullopt},
  };
  compare_scores(exact, report);
  return report;
}

void Experiment::compare_scores(const ExtendedRidge& exact, DriftReport& report) const {
  double solved_width = 0.0;
  double running_mean = 0.0;
  double running_width = 0.0;
  for (DocumentId i = 0; i < scored_.view().rows(); ++i) {
    const SparseRow row = scored_.view().row(i);
    const ExtendedRidge::Prediction truth = exact.predict(row);
    const Extended width = std::sqrt(truth.square);
    const auto at = static_cast<std::size_t>(i);
    solved_width = std::max(solved_width, difference(width_of(model_.predict(row).square), width));
    running_mean = std::max(running_mean, difference(scores_.means()[at], truth.mean));
    running_width = std::max(running_width, difference(width_of(scores_.squares()[at]), width));
  }
  const double allowed = std::max(1e-10, 100.0 * report.condition * std::numeric_limits<double>::epsilon());
  report.figures.push_back({"width", "widths by a triangular solve, largest error", solved_width, allowed});
  report.figures.push_back({"running_mean", "running means, largest error", running_mean, allowed});
  report.figures.push_back({"running_width", "running widths, largest error", running_width, allowed});
}

}  // namespace

DriftReport measure_drift(const DriftOptions& options, const std::function<void(std::int64_t)>& advance) {
  Experiment experiment(options);
  experiment.run(advance);
  return experiment.compare();
}

}  // namespace inkling::bench
