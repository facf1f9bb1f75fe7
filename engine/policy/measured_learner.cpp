#include "engine/policy/measured_learner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/portable_math.hpp"
#include "engine/model/evidence.hpp"
#include "engine/model/played_documents.hpp"
#include "engine/policy/learner_model.hpp"

namespace inkling {
namespace {

constexpr double kFirstNoise = 0.5;
constexpr double kLeastScale = 0x1p-5;
constexpr std::size_t kScalesTried = 14;  // each twice the one before
/// Penalty for an S^2 (computed from noise and scale) other than 1: this many times the square of its logarithm.
constexpr double kNormDoubt = 8.0;
constexpr double kBetweenEstimates = 1.26;
/// With too many features for a gram, evidence costs the cube of the number of documents, so it uses at most this many.
constexpr std::int64_t kMostPlayed = 64;

PolicyOptions measured_options(PoolView pool, PolicyOptions options) {
  options.ridge = 1.0;
  options.base = 0.0;
  options.form = form_for_all_features(pool, options);
  return options;
}

/// The noise R for which, with S = 1, an unmarked word has the precision `scale`.
double noise_for(double scale, std::int32_t features) { return std::sqrt(scale / std::max(static_cast<double>(features), 1.0)); }

}  // namespace

MeasuredLearner::MeasuredLearner(PoolView pool, const PolicyOptions& options)
    : pool_(pool),
      beliefs_(pool.features(), {.noise = noise_for(1.0, pool.features()), .norm_bound = 1.0}, {}),
      scored_(scored_model_for(pool, measured_options(pool, options))),
      noise_(kFirstNoise) {}

void MeasuredLearner::observe(DocumentId document, double reward) { scored_.observe(document, reward); }

void MeasuredLearner::observe_marks(DocumentId document, std::span<const SaidWord> marks) {
  reweigh(beliefs_.observe_marks(pool_.row_of(document), marks));
  estimate_when_due();
}

void MeasuredLearner::rate_words(std::span<const SaidWord> ratings) { reweigh(beliefs_.observe_marks({}, marks_of(ratings))); }

void MeasuredLearner::reweigh(std::span<const FeatureId> changed) {
  reweighed_.clear();
  for (const FeatureId feature : changed) reweighed_.push_back({feature, beliefs_.precision(feature)});
  scored_.reweigh(reweighed_);
}

void MeasuredLearner::estimate_when_due() {
  const std::int64_t plays = scored_.played().plays();
  if (static_cast<double>(plays) < next_estimate_) return;
  if (pool_.features() > EvidenceOfRewards::kMostFeatures && plays > kMostPlayed) return;
  next_estimate_ = std::max(static_cast<double>(plays) + 1.0, kBetweenEstimates * static_cast<double>(plays));
  estimate();
}

void MeasuredLearner::estimate() {
  std::vector<double> scales = {kLeastScale};
  while (scales.size() < kScalesTried) scales.push_back(2.0 * scales.back());
  std::vector<double> pattern(static_cast<std::size_t>(pool_.features()));
  for (FeatureId feature = 0; feature < pool_.features(); ++feature)
    pattern[static_cast<std::size_t>(feature)] = beliefs_.precision(feature) / scale_;
  const std::vector<Evidence> evidence = EvidenceOfRewards(scored_.played()).of(pattern, scales);
  double best = -std::numeric_limits<double>::infinity();
  double scale = scale_;
  for (std::size_t n = 0; n < scales.size(); ++n) {
    const double norm = evidence[n].noise_square * static_cast<double>(pool_.features()) / scales[n];
    const double log_norm = natural_log(norm);
    const double likelihood = evidence[n].log_likelihood - kNormDoubt * log_norm * log_norm;
    if (!(likelihood > best)) continue;
    best = likelihood;
    scale = scales[n];
    noise_ = std::sqrt(evidence[n].noise_square);
  }
  take(scale);
}

/// Sets the precision of every feature, known or not, from the scale.
void MeasuredLearner::take(double scale) {
  if (scale == scale_) return;
  scale_ = scale;
  beliefs_.assume_noise(noise_for(scale, pool_.features()));
  reweighed_.clear();
  for (FeatureId feature = 0; feature < pool_.features(); ++feature) {
    const double precision = beliefs_.precision(feature);
    if (precision != scored_.precision(feature)) reweighed_.push_back({feature, precision});
  }
  scored_.leave_scores_behind();
  scored_.reweigh(reweighed_);
}

std::optional<double> MeasuredLearner::radius() const {
  return noise_ * std::sqrt(natural_log(static_cast<double>(scored_.played().plays()) + 2.0));
}

}  // namespace inkling
